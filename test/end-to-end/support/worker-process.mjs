// A node with one handler, as a user embeds it: node worker-process.mjs STORE QUEUE SLOTS FILE [WORK_MS [NODES]].
// It adds a line per run to FILE: begin or end, task, fence, time.
import { openSync, writeSync } from 'node:fs';
import { openBatchyard } from '../../../dist/sdk/index.js';

const [store, name, slots, file, workMs = '0', count = '1'] = process.argv.slice(2);
const effects = openSync(file, 'a');
const note = (what, { task, fence }) =>
  writeSync(effects, `${what} ${task.taskId} ${fence} ${Date.now()}\n`);

const work = {
  name,
  async run(_, task) {
    note('begin', task);
    if (workMs !== '0') await new Promise((resolve) => setTimeout(resolve, Number(workMs)));
    note('end', task);
  },
};
const open = () => openBatchyard({ store, handlers: [work], slots: Number(slots) });
const yards = [];
while (yards.length < Number(count)) yards.push(await open());
process.stdout.write('ready\n');
process.once('SIGTERM', () => {
  void Promise.all(yards.map((yard) => yard.stop())).then(() => process.exit(0));
});
