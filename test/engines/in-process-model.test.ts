import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { createModelStore } from '../support/model-store/model-store.ts';
import { inProcess, openHost } from './engine-host.ts';

engineConformance({
  name: 'the engine in process, on the model store',
  open: async (options) => inProcess(await openHost((clock) => createModelStore({ clock }), options)),
});
