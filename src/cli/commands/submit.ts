import { type Submitted, type TaskSubmission, UNIQUE_SCOPES } from '../../core/index.ts';
import { toArrayRange } from '../array-range.ts';
import { command, type EngineSession } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { flag, value, values } from '../option.ts';
import {
  toChoice,
  toDurationMs,
  toInteger,
  toJson,
  toMoment,
  toPair,
  toText,
} from '../option-values.ts';
import { fromLines, fromNdjson, fromRange, type SubmissionSource } from '../submission-source.ts';
import { submitMany } from '../submission-stream.ts';
import { followTasks } from '../task-following.ts';
import { UsageError } from '../usage-error.ts';

const CONFLICTS = ['refuse', 'skip', 'replace'] as const;

const OPTIONS = {
  params: value('--params <json>', 'The params of one task.', toJson),
  item: value('--item <text>', 'One task with params {"item": TEXT}.', toText),
  eachLine: value('--each-line <file>', 'A task for each line; "-" is stdin.', toText, 'file'),
  array: value('--array <range>', 'A task for each number: 1-1000, 0-100:10.', toArrayRange),
  file: value('--file <ndjson>', 'A task for each line of JSON; "-" is stdin.', toText, 'file'),
  key: value('--key <key>', 'A key, unique in the queue; {item} is filled in.', toText),
  onConflict: value(
    '--on-conflict <what>',
    `When the key is there already: ${CONFLICTS.join(', ')}.`,
    toChoice(CONFLICTS),
    CONFLICTS,
  ),
  priority: value('--priority <number>', 'Higher runs sooner (0).', toInteger),
  at: value('--at <time>', 'Not before a time, or a duration from now.', toMoment(1)),
  label: values('--label <name=value>', 'A label.', toPair),
  batch: value('--batch <name>', 'Short for --label batch=NAME.', toText),
  hold: flag('--hold', 'Hold it back until it is released.'),
  external: flag('--external', 'Runs without a node; a call ends it.'),
  unique: value('--unique <key>', 'At most one task of this key; {item} is filled in.', toText),
  uniqueWhile: value(
    '--unique-while <when>',
    `How long that holds: ${UNIQUE_SCOPES.join(', ')}.`,
    toChoice(UNIQUE_SCOPES),
    UNIQUE_SCOPES,
  ),
  wait: flag('--wait', 'Wait until they have ended, as `batchyard wait` does.'),
  timeout: value('--timeout <duration>', 'With --wait: give up after this.', toDurationMs),
};
type SubmitSession = EngineSession<typeof OPTIONS>;

export const submit = command({
  name: 'submit',
  usage: '<queue> [-]',
  summary: 'Submit tasks to a queue: one, or one for each line, number or JSON line.',
  examples: [
    'batchyard submit thumbs --item photo.jpg',
    'ls *.jpg | batchyard submit thumbs --each-line - --wait',
    'batchyard submit render --array 1-1000 --wait --timeout 2h',
    'batchyard submit mirror --each-line urls.txt --key {item} --on-conflict skip',
    'batchyard submit mail --file letters.ndjson     # {"params": {"to": "…"}, "priority": 5}',
    'batchyard submit mail --params \'{"to": "me@example.org"}\' --at 2h',
  ],
  options: OPTIONS,
  completion: ['queue', ['-']],
  isVerdict: true,

  async run(session) {
    const [queue = '', dash] = session.args;
    if (dash !== undefined && dash !== '-') {
      throw new UsageError(`Unknown argument "${dash}". Use --item, --params or --each-line.`);
    }
    const { options } = session;
    if (options.timeout !== undefined && !options.wait) {
      throw new UsageError('--timeout goes with --wait.');
    }
    const isStdin = dash === '-';
    const many = waysToSubmitMany(options, isStdin);
    if (many === 0) return submitOne(session, queue);
    const batch = options.batch ?? (options.wait ? newBatch(session) : null);
    const source = openSource(session, batch, isStdin);
    const readsStdin = isStdin || options.eachLine === '-' || options.file === '-';
    if (readsStdin && session.stdin.isTTY) {
      session.out.note('Reading from the terminal: a task for each line; Ctrl-D ends.');
    }
    return submitMany(session, { queue, source, batch });
  },
});

function waysToSubmitMany(options: SubmitSession['options'], isStdin: boolean): number {
  const { eachLine, array, file, params, item } = options;
  const isGiven = (way: unknown): boolean => way !== undefined && way !== false;
  const many = [eachLine, array, file, isStdin].filter(isGiven).length;
  if (many + [params, item].filter(isGiven).length > 1) {
    throw new UsageError('Use one of --params, --item, --each-line, --array, --file and "-".');
  }
  return many;
}

function openSource(
  session: SubmitSession,
  batch: string | null,
  isStdin: boolean,
): SubmissionSource {
  const { eachLine, array, file, key, unique } = session.options;
  const toTask = (item: string | number): TaskSubmission => ({
    ...commonTo(session, { item, batch }),
    params: { item },
  });
  if (array) return fromRange(array, toTask);
  if (eachLine !== undefined) return fromLines(eachLine, session, toTask);
  if (key !== undefined || unique !== undefined) {
    throw new UsageError('Put "key" and "unique" into the lines of JSON, not on the command line.');
  }
  const common = commonTo(session, { item: null, batch });
  return fromNdjson(isStdin ? '-' : (file ?? '-'), session, common);
}

async function submitOne(session: SubmitSession, queue: string): Promise<ExitCode> {
  const { engine, options, out } = session;
  const { item, params, batch, onConflict, wait, timeout } = options;
  const task: TaskSubmission = {
    ...commonTo(session, { item: item ?? null, batch: batch ?? null }),
    ...(params !== undefined && { params }),
    ...(item !== undefined && { params: { item } }),
  };
  const [answer] = await engine.tasks.submit(queue, [task], onConflict ? { onConflict } : {});
  const { id, outcome } = answer as Submitted;
  out.print({ id, outcome, queue }, id);
  if (outcome !== 'created') out.note(`The task was there already: ${outcome}.`);
  if (!wait) return EXIT.ok;
  return followTasks(session, { filter: { ids: [id] }, timeoutMs: timeout ?? null, total: 1 });
}

/** What the options say of every task. */
function commonTo(
  { options, clock }: SubmitSession,
  { item, batch }: { readonly item: string | number | null; readonly batch: string | null },
): TaskSubmission {
  const { key, priority, at, label, hold, external, unique, uniqueWhile } = options;
  const labels = { ...Object.fromEntries(label), ...(batch !== null && { batch }) };
  return {
    ...(key !== undefined && { key: fill(key, item) }),
    ...(priority !== undefined && { priority }),
    ...(at && { notBefore: at(clock.now()) }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(hold && { hold }),
    ...(external && { external }),
    ...(unique !== undefined && {
      unique: { key: fill(unique, item), ...(uniqueWhile && { while: uniqueWhile }) },
    }),
  };
}

function fill(template: string, item: string | number | null): string {
  return item === null ? template : template.replaceAll('{item}', () => String(item));
}

function newBatch({ random }: SubmitSession): string {
  return Buffer.from(random.bytes(4)).toString('hex');
}
