import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { toPlainLine } from '../terminal-text.ts';
import { toLocalTimes } from '../times.ts';

export const taskWhy = command({
  name: 'task why',
  usage: '<task-id...>',
  summary: 'Say why a task is not running.',

  async run({ engine, args, out }) {
    for (const id of args) {
      const { state, reasons } = await engine.tasks.why(id);
      const lines = reasons.map(({ text }) => `  - ${toLocalTimes(toPlainLine(text))}`);
      out.print({ id, state, reasons }, [`${id} is ${state}.`, ...lines]);
    }
    return EXIT.ok;
  },
});
