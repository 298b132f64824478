/** A queue's settings as options of `queue create` and `queue set`. */
import { ON_LOST, QUEUE_ORDERS, type QueueSettings } from '../core/index.ts';
import { toggle, type ValuesOf, value, values, words } from './option.ts';
import {
  orNone,
  toBytes,
  toChoice,
  toCount,
  toDurationMs,
  toInteger,
  toJson,
  toKeyedLimit,
  toNames,
  toNumber,
  toPair,
  toText,
} from './option-values.ts';

export const QUEUE_OPTIONS = {
  program: words(
    '--program [argv...]',
    'Run this program for each task; {item} and {params.NAME} are filled in. Its own options need "--program -- argv...".',
  ),
  cwd: value('--cwd <folder>', 'Where the program runs (here).', toText, 'file'),
  env: values('--env <name=value>', 'A variable for the program.', toPair),
  handler: value('--handler <name>', 'Run this handler for each task.', orNone(toText)),
  paused: toggle('--paused', 'Take tasks in but run none.'),
  priority: value('--priority <number>', 'Queues with more go first (0).', toInteger),
  weight: value('--weight <number>', 'Its share among queues of equal priority (20).', toCount),
  order: value(
    '--order <order>',
    `Order among tasks of equal priority: ${QUEUE_ORDERS.join(', ')}.`,
    toChoice(QUEUE_ORDERS),
    QUEUE_ORDERS,
  ),
  maxRunning: value('--max-running <n|none>', 'Running at one time.', orNone(toCount)),
  maxRunningPerNode: value(
    '--max-running-per-node <n|none>',
    'Running at one time on each node.',
    orNone(toCount),
  ),
  limit: values(
    '--limit <name=by:max[/per]>',
    'At most MAX tasks with the same value of param BY, at one time or started within PER; "none" drops all.',
    orNone(toKeyedLimit),
  ),
  maxAttempts: value('--max-attempts <n|none>', 'Tries before it failed (3).', orNone(toCount)),
  retryBase: value('--retry-base <duration>', 'Wait before the second try (1s).', toDurationMs),
  retryFactor: value('--retry-factor <number>', 'Growth of the wait (2).', toNumber),
  retryMax: value('--retry-max <duration>', 'The longest wait (1h).', toDurationMs),
  maxRun: value('--max-run <duration|none>', 'Stop a try after this.', orNone(toDurationMs)),
  lease: value(
    '--lease <duration>',
    'A node that is silent this long lost it (30s).',
    toDurationMs,
  ),
  onLost: value(
    '--on-lost <what>',
    `What becomes of lost tasks: ${ON_LOST.join(', ')}.`,
    toChoice(ON_LOST),
    ON_LOST,
  ),
  maxLosses: value(
    '--max-losses <n|none>',
    'Losses before a task is set aside (3).',
    orNone(toCount),
  ),
  maxClaims: value('--max-claims <n|none>', 'Attempts ever begun.', orNone(toCount)),
  maxPerClaim: value('--max-per-claim <n|none>', 'Given to a node at once.', orNone(toCount)),
  nodesOnly: value('--nodes-only <names|none>', 'Only these nodes may run it.', orNone(toNames)),
  nodesNot: value('--nodes-not <names|none>', 'These nodes may not run it.', toNames),
  gated: toggle('--gated', 'Tasks wait until a controller admits them.'),
  continuous: toggle('--continuous', 'Make a task by itself when there is none.'),
  interval: value('--interval <duration>', 'Between such tasks (0).', toDurationMs),
  nextQueue: value(
    '--next-queue <name|none>',
    'Where tasks go that its tasks emit.',
    orNone(toText),
    'queue',
  ),
  keep: value(
    '--keep <duration|none>',
    'Keep what succeeded (7d; none: for ever).',
    orNone(toDurationMs),
  ),
  keepFailed: value(
    '--keep-failed <duration|none>',
    'Keep what failed (30d).',
    orNone(toDurationMs),
  ),
  maxOutput: value('--max-output <size>', 'Output kept for each attempt (16MiB).', toBytes),
  data: value('--data <json>', 'Anything; kept and given back.', toJson),
};

export type QueueValues = ValuesOf<typeof QUEUE_OPTIONS>;

/** What the options say, on top of `base` where a setting has several parts. Programs are read elsewhere. */
export function toQueueSettings(
  given: QueueValues,
  base: Pick<QueueSettings, 'retry' | 'retention'>,
): Partial<QueueSettings> {
  const { retryBase, retryFactor, retryMax, keep, keepFailed, limit, gated, continuous } = given;
  const hasRetry = [retryBase, retryFactor, retryMax].some((one) => one !== undefined);
  const retry = {
    baseMs: retryBase ?? base.retry.baseMs,
    factor: retryFactor ?? base.retry.factor,
    maxMs: retryMax ?? base.retry.maxMs,
  };
  const hasRetention = keep !== undefined || keepFailed !== undefined;
  const retention = {
    succeededMs: keep === undefined ? base.retention.succeededMs : keep,
    failedMs: keepFailed === undefined ? base.retention.failedMs : keepFailed,
  };
  return {
    ...withoutUndefined({
      handler: given.handler,
      paused: given.paused,
      priority: given.priority,
      weight: given.weight,
      order: given.order,
      maxRunning: given.maxRunning,
      maxRunningPerNode: given.maxRunningPerNode,
      maxAttempts: given.maxAttempts,
      maxRunMs: given.maxRun,
      leaseMs: given.lease,
      onLost: given.onLost,
      maxLosses: given.maxLosses,
      maxClaims: given.maxClaims,
      maxPerClaim: given.maxPerClaim,
      nodesOnly: given.nodesOnly,
      nodesNot: given.nodesNot,
      intervalMs: given.interval,
      nextQueue: given.nextQueue,
      maxOutputBytes: given.maxOutput,
      data: given.data,
      continuous,
    }),
    ...(limit.length > 0 && { limits: limit.filter((one) => one !== null) }),
    ...(gated !== undefined && { admission: gated ? ('gated' as const) : ('open' as const) }),
    ...(continuous && { canBeContinuous: true }),
    ...(hasRetry && { retry }),
    ...(hasRetention && { retention }),
  };
}

type Defined<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> };

function withoutUndefined<Given extends object>(given: Given): Defined<Given> {
  const entries = Object.entries(given).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as Defined<Given>;
}
