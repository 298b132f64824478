import { ADAPTERS, adaptersOf, STORES } from './adapter-list.mjs';
import { median, rateOf, ratiosOf, select } from './results.mjs';
import { titleOf } from './workload-list.mjs';

export function printReport({ about, options, done, failed, missing, targets }) {
  printHead(about);
  for (const store of options.stores) printStore(store, { options, done });
  printList(
    'Missing from this run',
    [...missing],
    ([name, reason]) => `${titleIn(name)}: ${reason}`,
  );
  printList('Not possible', impossible(options), (line) => line);
  printList('Failed', failed, ({ adapter, workload, round, failure }) => {
    return `${titleIn(adapter)}, ${workload}, round ${round}: ${failure}`;
  });
  printTargets(targets);
}

const titleIn = (name) => ADAPTERS[name].title;

function printHead({ version, node, machine, servers, versions, rounds, scale, load }) {
  const busy = load ? ` · load ${load.join('–')}` : '';
  console.log(`# Batchyard ${version} · Node ${node} · ${machine} · rounds: ${rounds}${busy}\n`);
  const peers = Object.entries(versions).map(([name, known]) => `${name} ${known}`);
  console.log(`${[...servers, ...peers].join(' · ')}\n`);
  if (scale < 1) console.log(`Sizes × ${scale}: a look, not a measurement.\n`);
}

function printStore(store, { options, done }) {
  const { title, ours } = STORES[store];
  const lines = options.workloads.flatMap((workload) => {
    const mine = select(done, ours, workload);
    return adaptersOf(store).flatMap((adapter) => {
      const list = select(done, adapter, workload);
      return list.length > 0 ? [row({ adapter, workload, list, mine, ours, options })] : [];
    });
  });
  if (lines.length === 0) return;
  console.log(`## ${title}\n`);
  console.log(
    '| workload | who | median | per round | CPU µs/task, own + server | memory MB | ours ÷ it |',
  );
  console.log('|---|---|---:|---|---:|---:|---:|');
  console.log(`${lines.join('\n')}\n`);
}

function row({ adapter, workload, list, mine, ours, options }) {
  const middle = (key) => median(list.map((result) => result[key]));
  const isRate = list[0].perSecond !== undefined;
  const each = list.map((r) => (isRate ? r.perSecond : `${r.p50Ms} (p99 ${r.p99Ms})`)).join(', ');
  const ratio = adapter === ours ? Number.NaN : median(ratiosOf(mine, list));
  const cells = [
    titleOf(workload, options.scale),
    titleIn(adapter),
    isRate ? Math.round(middle('perSecond')) : `${median(list.map(rateOf)).toFixed(2)} ms`,
    each + extra(list, middle),
    isRate ? cpu(list, middle) : '',
    middle('rssMb'),
    Number.isNaN(ratio) ? '' : `${ratio.toFixed(2)} ×`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function cpu(list, middle) {
  return list[0].serverCpuUs === undefined
    ? middle('cpuUs').toFixed(1)
    : `${middle('cpuUs').toFixed(1)} + ${middle('serverCpuUs').toFixed(1)}`;
}

function extra(list, middle) {
  const twice = list.reduce((sum, { duplicates = 0 }) => sum + duplicates, 0);
  const counts = list[0].countsMs === undefined ? '' : ` · counts ${middle('countsMs')} ms`;
  const filled = list[0].filledMb === undefined ? '' : ` · filled ${middle('filledMb')} MB`;
  return `${counts}${filled}${twice > 0 ? ` · **${twice} ran twice**` : ''}`;
}

function impossible({ adapters, workloads }) {
  return adapters.flatMap((name) =>
    Object.entries(ADAPTERS[name].cannot ?? {})
      .filter(([workload]) => workloads.includes(workload))
      .map(([workload, reason]) => `${titleIn(name)}, ${workload}: ${reason}`),
  );
}

function printList(title, items, toLine) {
  if (items.length === 0) return;
  console.log(`## ${title}\n`);
  for (const item of items) console.log(`- ${toLine(item)}`);
  console.log('');
}

function printTargets(targets) {
  console.log('## Targets\n');
  console.log('| # | target | measured | |');
  console.log('|---|---|---|---|');
  for (const { number, text, measured, verdict } of targets) {
    console.log(`| ${number} | ${text} | ${measured} | ${verdict} |`);
  }
}
