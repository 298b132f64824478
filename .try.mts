import { runSeed } from '/work/main/test/simulation/run-seed.ts';
import { linesTrace } from '/work/main/test/simulation/trace.ts';
const from = Number(process.argv[2] ?? 1), count = Number(process.argv[3] ?? 20);
const counts = new Map<string, number>();
const start = performance.now();
let events = 0, virtual = 0, slow = 0;
const bad = new Map<string, string[]>();
for (let seed = from; seed < from + count; seed++) {
  const t = performance.now();
  const r = await runSeed(seed, { counts, ...(process.argv[4] ? { trace: linesTrace((l) => console.log(l)) } : {}) });
  slow = Math.max(slow, performance.now() - t);
  events += r.eventCount; virtual += r.virtualMs;
  if (r.violation) { const k = r.violation.invariant; bad.set(k, [...(bad.get(k) ?? []), `${seed}: ${r.violation.message.slice(0, 400)}`]); }
}
const s = (performance.now() - start) / 1000;
console.log(`${count} seeds in ${s.toFixed(1)} s, ${(count / s).toFixed(1)}/s, events/seed ${(events / count).toFixed(0)}, virtual ms/seed ${(virtual/count).toFixed(0)}, slowest ${slow.toFixed(0)} ms`);
for (const [k, v] of bad) { console.log(k, v.length); for (const x of v.slice(0, 3)) console.log('   ', x); }
if (process.argv[5]) console.log([...counts].sort((a,b)=>a[1]-b[1]).map(([k,v])=>`${v} ${k}`).join('\n'));
