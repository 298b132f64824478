import { parseArgs } from 'node:util';
import { ADAPTERS, adaptersOf, isPeer, STORES } from './adapter-list.mjs';
import { WORKLOADS } from './workload-list.mjs';

export const USAGE = `npm run bench [-- OPTIONS]
  --rounds N         how often everything is measured (3)
  --only W,…         workloads: ${Object.keys(WORKLOADS).join(', ')}
  --stores S,…       tables: ${Object.keys(STORES).join(', ')}
  --adapters A,…     ${Object.keys(ADAPTERS).join(', ')}
  --ours             our stores and the raw loops only; fetches no peers
  --scale X          part of the usual sizes (1); below 1 it is a look, not a measurement
  --floor X          fail when ours is below X times the raw loop of its store
  --json             print all results as JSON`;

/** The options, or an error that says what was wrong and what would be right. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      only: { type: 'string' },
      stores: { type: 'string' },
      adapters: { type: 'string' },
      ours: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      floor: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const stores = namesFrom('stores', values.stores, STORES);
  const usual = [...new Set(stores.flatMap(adaptersOf))];
  const adapters = values.adapters ? namesFrom('adapters', values.adapters, ADAPTERS) : usual;
  return {
    stores,
    adapters: adapters.filter((name) => !values.ours || !isPeer(name)),
    workloads: namesFrom('only', values.only, WORKLOADS),
    rounds: numberFrom('rounds', values.rounds, { whole: true, max: 100 }),
    scale: numberFrom('scale', values.scale, { max: 1 }),
    floor: values.floor === undefined ? null : numberFrom('floor', values.floor, { max: 100 }),
    json: values.json,
    help: values.help,
  };
}

function namesFrom(option, text, table) {
  const known = Object.keys(table);
  if (text === undefined) return known;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--${option}: there is no ${unknown.join(', ')}. Use ${known.join(', ')}.`);
  }
  return known.filter((name) => names.includes(name));
}

function numberFrom(option, text, { whole = false, max }) {
  const number = Number(text);
  if (
    text.trim() === '' ||
    !(number > 0 && number <= max) ||
    (whole && !Number.isInteger(number))
  ) {
    const kind = whole ? 'a whole number' : 'a number';
    throw new Error(`--${option}: "${text}" will not do. Give ${kind} above 0, at most ${max}.`);
  }
  return number;
}
