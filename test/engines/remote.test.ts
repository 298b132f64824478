import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { createModelStore } from '../support/model-store/model-store.ts';
import { openHost } from './engine-host.ts';
import { remote } from './remote-engine.ts';

engineConformance({
  name: 'the engine through client, HTTP and server, on SQLite in memory',
  open: async (options) => remote(await openHost((clock) => createModelStore({ clock }), options)),
});
