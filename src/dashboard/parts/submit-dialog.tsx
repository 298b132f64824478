import { useState } from 'preact/hooks';
import type { TaskSubmission } from '../../core/index.ts';
import { linkTo } from '../address.ts';
import { parseTypedJson } from '../json-text.ts';
import { tell } from '../notices.ts';
import { engine, toWords } from '../session.ts';
import { refreshYard } from '../yard.ts';
import { Dialog } from './confirm-dialog.tsx';

interface Typed {
  readonly params: string;
  readonly key: string;
  readonly priority: string;
  readonly delaySeconds: string;
}

const NOTHING_TYPED: Typed = { params: '', key: '', priority: '', delaySeconds: '' };

/** Adds one task to a queue. */
export function SubmitDialog({ queue, onClose }: { queue: string; onClose: () => void }) {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onInput: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  });

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const submission = toSubmission(typed);
    if (typeof submission === 'string') return setProblem(submission);
    setBusy(true);
    try {
      const [task] = await engine.value.tasks.submit(queue, [submission]);
      if (task)
        tell('Task submitted.', { href: linkTo({ page: 'task', id: task.id }), text: 'Open it' });
      refreshYard();
      onClose();
    } catch (error) {
      setProblem(toWords(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title="Submit a task" onClose={onClose}>
      <form class="form" noValidate onSubmit={submit}>
        <label>
          Params, as JSON
          <textarea
            rows={7}
            spellcheck={false}
            placeholder={'{"item": "one.jpg"}'}
            aria-invalid={problem !== null}
            aria-describedby="submit-problem"
            {...field('params')}
          />
        </label>
        <div class="form-row">
          <label>
            Key <span class="faint">optional, unique in the queue</span>
            <input type="text" {...field('key')} />
          </label>
          <label>
            Priority <span class="faint">higher sooner</span>
            <input type="text" inputMode="numeric" placeholder="0" {...field('priority')} />
          </label>
          <label>
            Start after <span class="faint">seconds</span>
            <input type="text" inputMode="numeric" placeholder="0" {...field('delaySeconds')} />
          </label>
        </div>
        <p id="submit-problem" class="bad" role="alert">
          {problem}
        </p>
        <div class="dialog-buttons">
          <button type="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            Submit
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What was typed as a submission, or what is wrong with it. */
function toSubmission({ params, key, priority, delaySeconds }: Typed): TaskSubmission | string {
  const parsed = parseTypedJson(params);
  if (!parsed.ok) return parsed.problem;
  const priorityNumber = Number(priority || 0);
  if (!Number.isFinite(priorityNumber)) {
    return `Priority: “${priority}” is not a number. Use one like 0 or 10.`;
  }
  const delay = Number(delaySeconds || 0);
  if (!Number.isFinite(delay) || delay < 0) {
    return `Start after: “${delaySeconds}” is not a number of seconds. Use one like 90.`;
  }
  return {
    ...(parsed.value !== undefined && { params: parsed.value }),
    ...(key !== '' && { key }),
    priority: priorityNumber,
    ...(delay > 0 && { delayMs: Math.round(delay * 1000) }),
  };
}
