import { expect, it } from 'vitest';
import { findUnknownVariables } from './unknown-variables.ts';

it('a misspelt variable is noticed; settings and those of tasks are not', () => {
  const problems = findUnknownVariables({
    PATH: '/bin',
    BATCHYARD_STORE: 'memory',
    BATCHYARD_CONFIG: 'a.yaml',
    BATCHYARD_TASK: 'id of the task that calls us',
    BATCHYARD_LISTN: '1',
  });

  expect(problems).toEqual([
    'The environment has BATCHYARD_LISTN, which means nothing. Did you mean "BATCHYARD_LISTEN"?',
  ]);
});
