import type { ErrorCode } from '../../../src/core/errors.ts';
import type { Engine, TaskSubmission } from '../../../src/core/index.ts';
import type { Submitted } from '../../../src/core/store/task-store.ts';
import { insist } from '../violation.ts';
import { type Network, orNull } from './network.ts';
import type { SimProcess } from './sim-process.ts';
import { attend, type World } from './world.ts';

export interface SubmitterOptions {
  readonly world: World;
  readonly network: Network;
  readonly name: string;
  readonly queues: readonly string[];
  readonly onDone: () => void;
}

interface Request {
  readonly queue: string;
  readonly tasks: readonly TaskSubmission[];
  readonly onConflict: 'replace' | 'skip' | 'refuse';
  readonly idempotencyKey: string | null;
}

/** A client that adds tasks, repeats what got no answer, and remembers what it was told. */
export function startSubmitter(options: SubmitterOptions): void {
  const { world, network, name, onDone } = options;
  const { chance, plan, sometimes } = world;
  const process = world.createProcess(name);
  const answers = new Map<string, string>();
  const reused = new Set<string>();

  const submit = async (request: Request): Promise<readonly Submitted[] | null> => {
    const { queue, tasks, onConflict, idempotencyKey } = request;
    const call = {
      what: `submit ${tasks.length} to ${queue} ${idempotencyKey ?? ''}`,
      run: (engine: Engine) =>
        engine.tasks.submit(queue, tasks, {
          onConflict,
          ...(idempotencyKey !== null && { idempotencyKey }),
        }),
    };
    const work =
      idempotencyKey === null
        ? network.call(process, call)
        : network.callUntilAnswered(process, call);
    const refusals: ErrorCode[] = ['TASK_EXISTS', 'QUEUE_NOT_FOUND'];
    if (idempotencyKey !== null && reused.has(idempotencyKey)) refusals.push('KEY_REUSED');
    const answer = await orNull(work, ...refusals);
    if (answer !== null) acknowledge(world, answers, idempotencyKey, answer);
    return answer;
  };

  const run = async (): Promise<void> => {
    let last: Request | null = null;
    for (let count = 0; count < plan.submissionCount; count++) {
      await process.sleep(chance.between(5, 250));
      const request = drawRequest(options);
      const answer = await submit(request);
      for (const [index, { id }] of (answer ?? []).entries()) {
        if (request.tasks[index]?.external) attend(world, endExternal(world, network, process, id));
      }
      if (last?.idempotencyKey && chance.happens(0.15)) attend(world, submit(last));
      if (request.idempotencyKey && chance.happens(0.05)) {
        sometimes.hit('key used for another request');
        reused.add(request.idempotencyKey);
        await reuseKey(options, process, request);
      }
      last = request;
    }
    onDone();
  };
  attend(world, run());
}

/** The answer is a promise: what it names is there, and the same key never gets another. */
function acknowledge(
  { shadow, sometimes }: World,
  answers: Map<string, string>,
  key: string | null,
  answer: readonly Submitted[],
): void {
  for (const { id } of answer) {
    insist(
      shadow.tasks.has(id) || shadow.gone.has(id),
      'acknowledged exists',
      () => `${id} was acknowledged and is not there`,
    );
  }
  if (key === null) return;
  const text = JSON.stringify(answer);
  const first = answers.get(key) ?? text;
  if (answers.has(key)) sometimes.hit('key acknowledged twice');
  insist(first === text, 'one key, one effect', () => `${key}: ${text}, first ${first}`);
  answers.set(key, text);
}

async function reuseKey(
  { world, network }: SubmitterOptions,
  process: SimProcess,
  { queue, tasks, idempotencyKey }: Request,
): Promise<void> {
  if (idempotencyKey === null) return;
  const others = [...tasks, { params: { origin: world.uniqueName('reused') } }];
  const options = { idempotencyKey, onConflict: 'skip' as const };
  await orNull(
    network.call(process, {
      what: `submit other tasks under ${idempotencyKey}`,
      run: (engine) => engine.tasks.submit(queue, others, options),
    }),
    'KEY_REUSED',
    'QUEUE_NOT_FOUND',
  );
}

function drawRequest({ world, queues }: SubmitterOptions): Request {
  const { chance } = world;
  const idempotencyKey = chance.happens(0.75) ? world.uniqueName('request') : null;
  const tasks = Array.from({ length: chance.between(1, 3) }, () =>
    drawTask(world, idempotencyKey !== null),
  );
  const onConflict = chance.oneOf(['replace', 'replace', 'skip', 'refuse'] as const);
  return { queue: chance.oneOf(queues), tasks, onConflict, idempotencyKey };
}

/** Only what has an idempotency key has an origin, whose effect is counted. */
function drawTask(world: World, hasOrigin: boolean): TaskSubmission {
  const { chance } = world;
  const identity = chance.between(0, 9);
  return {
    params: {
      tenant: chance.oneOf(['a', 'b']),
      ...(hasOrigin && { origin: world.uniqueName('submitted') }),
      ...(chance.happens(0.08) && { isPoison: true }),
    },
    priority: chance.oneOf([0, 0, 0, 1, -1, 5]),
    ...(chance.happens(0.15) && { delayMs: chance.between(1, 1500) }),
    ...(chance.happens(0.04) && { hold: true }),
    ...(identity < 4 && { key: `key-${chance.between(1, 6)}` }),
    ...(identity === 4 && {
      unique: {
        key: `one-${chance.between(1, 3)}`,
        while: chance.oneOf(['waiting', 'unfinished', 'forever'] as const),
      },
    }),
    ...(identity === 5 && chance.happens(0.4) && { external: true }),
  };
}

/** Who started it elsewhere says how it went, without a fence. */
async function endExternal(
  { chance }: World,
  network: Network,
  process: SimProcess,
  taskId: string,
): Promise<void> {
  await process.sleep(chance.between(10, 2000));
  await network.callUntilAnswered(process, {
    what: `end external ${taskId}`,
    run: (engine) => engine.attempts.settle([{ taskId, fence: null, outcome: 'succeeded' }]),
  });
}
