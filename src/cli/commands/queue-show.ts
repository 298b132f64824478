import { TASK_STATES } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { type Field, layOutFields } from '../fields.ts';
import { formatCount } from '../numbers.ts';
import { queueFields } from '../queue-text.ts';
import { stateStyle } from '../task-text.ts';
import { toPlainLine } from '../terminal-text.ts';
import { formatTime } from '../times.ts';

export const queueShow = command({
  name: 'queue show',
  usage: '<queue...>',
  summary: 'Show the settings and counts of a queue.',
  completion: ['queue'],

  async run({ engine, args, out, clock }) {
    const now = clock.now();
    for (const [index, name] of args.entries()) {
      const queue = await engine.queues.get(name);
      const counts = await engine.queues.countsOf(name);
      const shown = TASK_STATES.filter((state) => counts[state] > 0);
      const tallies = shown.map(
        (state): Field => [state, formatCount(counts[state]), stateStyle(state)],
      );
      out.print({ ...queue, counts }, [
        ...(index === 0 ? [] : ['']),
        out.paint('bold', toPlainLine(queue.name)),
        ...layOutFields(out.paint, [
          ...queueFields(queue),
          ['created', formatTime(queue.createdAt, now)],
          ['changed', queue.revision > 1 ? formatTime(queue.updatedAt, now) : null],
        ]),
        '',
        out.paint('bold', 'Tasks'),
        ...(tallies.length === 0 ? ['  none'] : layOutFields(out.paint, tallies)),
      ]);
    }
    return EXIT.ok;
  },
});
