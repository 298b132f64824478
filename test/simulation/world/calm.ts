/** What is done once faults have stopped, so that everything can end. */
import type { Engine, QueueSettings } from '../../../src/core/index.ts';
import { openQueues } from '../shadow/shadow-queues.ts';
import { countOf, hasEnded } from '../shadow/shadow-record.ts';
import { type Network, orNull } from './network.ts';
import { attend, type World } from './world.ts';

const OPEN: Partial<QueueSettings> = {
  paused: false,
  weight: 20,
  maxRunning: null,
  maxRunningPerNode: null,
  maxPerClaim: null,
  nodesOnly: null,
  nodesNot: [],
  admission: 'open',
  continuous: false,
};

const FREE = { wish: 'work', maxRunning: null } as const;

function isOpen(settings: QueueSettings): boolean {
  const names = Object.keys(OPEN) as (keyof QueueSettings)[];
  return names.every((name) => JSON.stringify(settings[name]) === JSON.stringify(OPEN[name]));
}

/** Opens the queues, frees the nodes, releases what is held and ends what runs elsewhere, again and again. */
export function startCalmOperator(world: World, network: Network): void {
  const { shadow } = world;
  const process = world.createProcess('calm-operator');
  const act = (what: string, run: (engine: Engine) => Promise<unknown>) =>
    orNull(
      network.callUntilAnswered(process, { what, run }),
      'QUEUE_NOT_FOUND',
      'TASK_NOT_FOUND',
      'TASK_STATE',
      'NODE_NOT_FOUND',
    );

  const run = async (): Promise<void> => {
    for (;;) {
      // Orders from before the calm may still arrive.
      for (const { name, settings } of openQueues(shadow)) {
        if (isOpen(settings)) continue;
        await act(`open ${name}`, (engine) => engine.queues.set(name, OPEN));
      }
      for (const [node, { wish, maxRunning }] of [...shadow.nodes]) {
        if (wish === 'work' && maxRunning === null) continue;
        await act(`free ${node}`, (engine) => engine.nodes.set(node, FREE));
      }
      for (const { id, state, isExternal, queue } of [...shadow.tasks.values()]) {
        if (queue.isGone) continue;
        if (state === 'held') await act(`release ${id}`, (engine) => engine.tasks.release(id));
        if (state === 'running' && isExternal) {
          const end = { taskId: id, fence: null, outcome: 'succeeded' } as const;
          await act(`end ${id}`, (engine) => engine.attempts.settle([end]));
        }
      }
      await process.sleep(200);
    }
  };
  attend(world, run());
}

export function hasUnfinished({ shadow }: World): boolean {
  for (const queue of shadow.queues.values()) {
    if (queue.isGone) continue;
    if (countOf(queue, 'queued', 'delayed', 'held', 'claimed', 'running') > 0) return true;
  }
  return false;
}

/** Tasks that are still to end. Those of a queue that was deleted stay as they are. */
export function unfinished({ shadow }: World): string[] {
  return [...shadow.tasks.values()]
    .filter((task) => !hasEnded(task) && !task.queue.isGone)
    .map(({ id, state, hold, queue }) => `${id} ${state} ${hold ?? ''} in ${queue.name}`);
}
