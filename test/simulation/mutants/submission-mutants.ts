import { ENGINE, MODEL, type Mutant } from './mutant.ts';

export const SUBMISSION_MUTANTS: readonly Mutant[] = [
  {
    name: 'a key stands twice in a queue',
    file: `${MODEL}/model-submission.ts`,
    find: '  if (sameKey) return sameKey;\n',
    replace: '',
  },
  {
    name: 'a refused call leaves tasks behind',
    file: `${MODEL}/model-submission.ts`,
    find: 'for (const { id } of submitted) removeTask(state, getTask(state, id));',
    replace: '',
  },
  {
    name: 'a unique key is not looked at',
    file: `${MODEL}/model-submission.ts`,
    find: 'if (!unique) return null;',
    replace: 'if (!unique || unique) return null;',
  },
  {
    name: 'replacing an ended task keeps its fence',
    file: `${MODEL}/model-submission.ts`,
    find: '  met.fence += 1;\n',
    replace: '',
  },
  {
    name: 'an idempotency key is not kept',
    file: `${MODEL}/model-steps.ts`,
    find: 'answers.set(once.key, { fingerprint, answer: structuredClone(answer), at: now });',
    replace: 'void fingerprint;',
  },
  {
    name: 'the engine does not pass the idempotency key on',
    file: `${ENGINE}/once.ts`,
    find: 'if (kept === null) return run({ ...step, once: { key, fingerprint } });',
    replace: 'if (kept === null) return run(step);',
  },
];
