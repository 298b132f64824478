/** What attempts say that are not, or no longer, the live ones. */
import type { AttemptOutcome, SettleAnswer, Settlement } from '../../core/store/index.ts';
import { toByteas, toNumbers, toTexts } from './array-literal.ts';
import { FAILED, ORPHANED, toOutcomeCode } from './codes.ts';
import type { TaskRow } from './rows.ts';
import { succeedLate } from './transitions.ts';
import { toText } from './values.ts';
import { isHeldBy, type Work } from './work.ts';
import { flush } from './work-flush.ts';

export interface LateWords {
  say(task: TaskRow, item: Settlement): SettleAnswer['status'];
  /** An attempt ends in this step: what the same call says of it again is late already. */
  noteEnd(task: TaskRow, outcome: AttemptOutcome): void;
  flush(): Promise<void>;
}

interface Ended {
  readonly task: string;
  readonly fence: number;
  readonly outcome: number;
  lateOutcome: number | null;
  lateData: string | null;
  isSaid: boolean;
}

const ENDED_SQL = `
  select a.task, a.fence, a.outcome, a.late_outcome as "lateOutcome", a.late_data as "lateData"
  from unnest($1::bytea[]) e(id)
  cross join lateral (select * from attempts a where a.task = e.id) a`;
const SAY_SQL = `
  update attempts a set late_outcome = e.outcome, late_data = e.data, late_at = $5::int8
  from (
    select e.*, (select a.ctid from attempts a where a.task = e.task and a.fence = e.fence) as place
    from unnest($1::bytea[], $2::int4[], $3::int2[], $4::text[]) e(task, fence, outcome, data)) e
  where a.ctid = e.place`;

export async function createLateWords(
  work: Work,
  items: readonly Settlement[],
  tasks: ReadonlyMap<string, TaskRow>,
): Promise<LateWords> {
  const seen = new Set<string>();
  const ids = new Set<string>();
  for (const { taskId, fence } of items) {
    const task = tasks.get(taskId);
    if (task && (seen.has(taskId) || !isHeldBy(task, fence))) ids.add(taskId);
    seen.add(taskId);
  }
  const rows =
    ids.size > 0 ? await work.db.all<Omit<Ended, 'isSaid'>>(ENDED_SQL, toByteas([...ids])) : [];
  const ended = new Map<string, Map<number, Ended>>();
  const note = (one: Ended): void => {
    const own = ended.get(one.task) ?? new Map<number, Ended>();
    ended.set(one.task, own.set(one.fence, one));
  };
  for (const row of rows) note({ ...row, isSaid: false });

  return {
    noteEnd({ id, fence }, outcome) {
      const code = toOutcomeCode(outcome);
      note({ task: id, fence, outcome: code, lateOutcome: null, lateData: null, isSaid: false });
    },
    say(task, item) {
      const own = ended.get(task.id);
      const attempt = own?.get(item.fence ?? 0);
      const outcome = toOutcomeCode(item.outcome);
      if (!own || !attempt) return 'lost';
      if (attempt.outcome === outcome || attempt.lateOutcome === outcome) return 'repeated';
      if (attempt.lateOutcome !== null) return 'lost';

      const data = toText(item.data);
      Object.assign(attempt, { lateOutcome: outcome, lateData: data, isSaid: true });
      const isLast = attempt.fence === Math.max(...own.keys());
      const isOpenToSuccess = task.state === FAILED || task.state === ORPHANED;
      if (item.outcome !== 'succeeded' || !isOpenToSuccess || !isLast) return 'late';
      const result = item.data === undefined ? undefined : data;
      succeedLate(work, task, { error: item.error, code: item.code, result });
      return 'applied';
    },
    async flush() {
      const said = [...ended.values()].flatMap((own) => [...own.values()].filter((a) => a.isSaid));
      if (said.length === 0) return;
      // Attempts that ended in this very step are written first.
      await flush(work);
      await work.db.run(
        SAY_SQL,
        toByteas(said.map(({ task }) => task)),
        toNumbers(said.map(({ fence }) => fence)),
        toNumbers(said.map(({ lateOutcome }) => lateOutcome)),
        toTexts(said.map(({ lateData }) => lateData)),
        work.now,
      );
    },
  };
}
