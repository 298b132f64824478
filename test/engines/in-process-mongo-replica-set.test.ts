import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { mongoEngine } from './mongo-engine.ts';

engineConformance({
  name: 'the engine in process, on a MongoDB replica set',
  open: mongoEngine('replica-set'),
});
