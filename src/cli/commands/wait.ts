import { BatchError, isId, type TaskSelection } from '../../core/index.ts';
import { command, type EngineSession } from '../command.ts';
import type { ExitCode } from '../exit-code.ts';
import { value } from '../option.ts';
import { toDurationMs } from '../option-values.ts';
import { followTasks } from '../task-following.ts';
import { isEmpty, SELECTION_OPTIONS, toSelection } from '../task-selection.ts';
import { UsageError } from '../usage-error.ts';

const { state: _, ...CHOICE } = SELECTION_OPTIONS;
const OPTIONS = {
  timeout: value('--timeout <duration>', 'Give up after this, with exit code 4.', toDurationMs),
  ...CHOICE,
};

export const wait = command({
  name: 'wait',
  usage: '[queue|task-id...]',
  summary:
    'Wait until tasks have ended: exit 0 if all succeeded, 1 if some did not, 4 if it took too long.',
  examples: [
    'batchyard wait thumbs --timeout 1h && echo "all thumbnails are there"',
    'batchyard wait --label batch=night',
  ],
  options: OPTIONS,
  completion: ['queue'],
  isVerdict: true,

  run: waitFor,
});

async function waitFor(session: EngineSession<typeof OPTIONS>): Promise<ExitCode> {
  const { engine, args, options, clock } = session;
  const ids = args.filter(isId);
  const queues = [...options.queue, ...args.filter((name) => !isId(name))];
  if (ids.length > 0 && queues.length > 0) throw new UsageError('Name queues or tasks, not both.');
  const filter: TaskSelection = {
    ...toSelection({ ...options, state: [] }, clock.now()),
    ...(queues.length > 0 && { queues }),
    ...(ids.length > 0 && { ids }),
  };
  if (isEmpty(filter)) throw new UsageError('Name a queue, tasks, or a label to wait for.');

  for (const id of ids) {
    if (!(await engine.tasks.find(id))) {
      throw new BatchError('TASK_NOT_FOUND', { task: id, namespace: engine.namespace });
    }
  }
  const total = ids.length > 0 ? ids.length : null;
  return followTasks(session, { filter, timeoutMs: options.timeout ?? null, total });
}
