import { describe } from 'vitest';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { attemptSemantics } from './attempts.ts';
import { chainingSemantics } from './chaining.ts';
import { claimLimitSemantics } from './claim-limits.ts';
import { claimSemantics } from './claims.ts';
import { continuousSemantics } from './continuous-queues.ts';
import { countSemantics } from './counts.ts';
import { forcedClaimSemantics } from './forced-claims.ts';
import { namespaceSemantics } from './namespaces.ts';
import { nodeSemantics } from './nodes.ts';
import { queueChoiceSemantics } from './queue-choice.ts';
import { queueDefinitionSemantics } from './queue-definitions.ts';
import { taskSemantics } from './tasks.ts';

/** What Coordinate's own test suite demands, in our words; its test names stand in the titles as [CS Name]. */
export function coordinateSemantics(subject: EngineUnderTest): void {
  describe('what Coordinate demands', () => {
    namespaceSemantics(subject);
    queueDefinitionSemantics(subject);
    countSemantics(subject);
    taskSemantics(subject);
    claimSemantics(subject);
    claimLimitSemantics(subject);
    continuousSemantics(subject);
    attemptSemantics(subject);
    chainingSemantics(subject);
    forcedClaimSemantics(subject);
    nodeSemantics(subject);
    queueChoiceSemantics(subject);
  });
}
