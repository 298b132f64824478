/** Which part of the shadow watches which step. A step without an entry changes nothing. */
import type { Store } from '../../../src/core/store/store.ts';
import { insist } from '../violation.ts';
import type { StoreGroup } from '../world/store-methods.ts';
import { onListAttempts, onRenew, onSettle, onStart } from './shadow-attempts.ts';
import { onClaim, onClaimContinuous, onClaimTask } from './shadow-claims.ts';
import { onAcquire, onHeartbeat, onNode, onNodeUpdate, onRelease } from './shadow-nodes.ts';
import {
  checkCounts,
  onAdmit,
  onDeleteQueue,
  onHeads,
  onInsert,
  onUpdate,
} from './shadow-queues.ts';
import { jsonOf, msOf, type Shadow } from './shadow-record.ts';
import { onSubmit } from './shadow-submissions.ts';
import { checkTask, onDelete, onEdit, onMove, onPurge } from './shadow-tasks.ts';
import { catchUp } from './shadow-transitions.ts';

interface Seen<Answer> {
  readonly answer: Answer;
  readonly now: number;
  readonly shadow: Shadow;
}

// biome-ignore lint/suspicious/noExplicitAny: any method of any group
type Observer<Method> = Method extends (...args: any) => Promise<infer Answer>
  ? (seen: Seen<Answer>, ...args: Parameters<Method>) => void
  : never;

export type Observers = {
  readonly [Group in StoreGroup]?: {
    readonly [Name in keyof Store[Group]]?: Observer<Store[Group][Name]>;
  };
};

export const OBSERVERS: Observers = {
  queues: {
    insert: ({ shadow, answer }, queue) => onInsert(shadow, queue, answer),
    update: ({ shadow, answer, now }, change) => onUpdate(shadow, change, answer, now),
    delete: ({ shadow, answer }, deletion) => onDeleteQueue(shadow, deletion, answer),
    heads: ({ shadow, answer, now }) => onHeads(shadow, answer, now),
    counts: ({ shadow, answer, now }) => {
      catchUp(shadow, now);
      checkCounts(shadow, answer);
    },
    admit: ({ shadow, answer, now }, admission) => onAdmit(shadow, admission, answer, now),
  },
  tasks: {
    submit: ({ shadow, answer, now }, submission) => onSubmit(shadow, submission, answer, now),
    find({ shadow, answer, now }, _, id) {
      catchUp(shadow, now);
      checkTask(id, answer, shadow.tasks.get(id) ?? null);
    },
    peek({ shadow, answer }, _, ids) {
      for (const [index, id] of ids.entries()) {
        checkTask(id, answer[index] ?? null, shadow.tasks.get(id) ?? null);
      }
    },
    list({ shadow, answer, now }) {
      catchUp(shadow, now);
      for (const task of answer.items) checkTask(task.id, task, shadow.tasks.get(task.id) ?? null);
    },
    move: ({ shadow, answer, now }, move) => onMove(shadow, move, answer, now),
    edit: ({ shadow, answer, now }, edit) => onEdit(shadow, edit, answer, now),
    delete: ({ shadow, answer, now }, deletion) => onDelete(shadow, deletion, answer, now),
    purge: ({ shadow, answer }, purge) => onPurge(shadow, purge, answer),
  },
  attempts: {
    claim: ({ shadow, answer, now }, request) => onClaim(shadow, request, answer, now),
    claimTask: ({ shadow, answer, now }, request) => onClaimTask(shadow, request, answer, now),
    claimContinuous: ({ shadow, answer, now }, request) =>
      onClaimContinuous(shadow, request, answer, now),
    start: ({ shadow, answer, now }, _, items) => onStart(shadow, items, answer, now),
    renew: ({ shadow, answer, now }, _, items) => onRenew(shadow, items, answer, now),
    settle: ({ shadow, answer, now }, _, items) => onSettle(shadow, items, answer, now),
    expireDue({ shadow, answer, now }) {
      const expected = catchUp(shadow, now);
      insist(
        jsonOf(answer) === jsonOf(expected),
        'answer as promised',
        () => `expireDue answered ${jsonOf(answer)}, should be ${jsonOf(expected)}`,
      );
    },
    nextDue({ shadow, answer }) {
      const expected = earliestDue(shadow);
      insist(
        msOf(answer) === expected,
        'answer as promised',
        () => `nextDue answered ${msOf(answer)}, should be ${expected}`,
      );
    },
    list: ({ shadow, answer, now }, _, taskId) => onListAttempts(shadow, taskId, answer, now),
  },
  outputs: {
    append({ shadow, answer }, { taskId, fence }) {
      const isHeld = shadow.tasks.get(taskId)?.live?.fence === fence;
      if (!isHeld) shadow.sometimes.hit('output refused');
      insist(
        answer === (isHeld ? 'kept' : 'lost'),
        'current fence',
        () => `output of fence ${fence} of ${taskId}: ${answer}`,
      );
    },
  },
  nodes: {
    heartbeat: ({ shadow, answer }, _, beats) => onHeartbeat(shadow, beats, answer),
    find: ({ shadow, answer }, _, name) => onNode(shadow, name, answer),
    update({ shadow, answer }, _, name, change) {
      onNodeUpdate(shadow, name, change);
      onNode(shadow, name, answer);
    },
  },
  leases: {
    acquire: ({ shadow, answer, now }, request) => onAcquire(shadow, request, answer, now),
    release: ({ shadow, answer, now }, name, holder) =>
      onRelease(shadow, { name, holder }, answer, now),
  },
  answers: {
    find({ shadow, answer }, key) {
      const known = shadow.kept.get(key) ?? null;
      const given = answer && { fingerprint: answer.fingerprint, answer: jsonOf(answer.answer) };
      if (answer !== null) shadow.sometimes.hit('kept answer found');
      insist(
        jsonOf(given) === jsonOf(known),
        'one key, one effect',
        () => `the answer kept under ${key}: ${jsonOf(given)}, should be ${jsonOf(known)}`,
      );
    },
  },
};

function earliestDue(shadow: Shadow): number | null {
  let earliest: number | null = null;
  for (const { state, live, notBefore } of shadow.tasks.values()) {
    const due = state === 'delayed' ? notBefore : (live?.expiresAt ?? null);
    if (due !== null && (earliest === null || due < earliest)) earliest = due;
  }
  return earliest;
}
