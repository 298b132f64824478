import { expect } from 'vitest';
import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { createModelStore, type ModelStore } from '../support/model-store/model-store.ts';
import { inProcess, openHost } from './engine-host.ts';

engineConformance({
  name: 'the engine in process, on the model store',
  async open(options) {
    const fixture = await openHost((clock) => createModelStore({ clock }), options);
    const engine = inProcess(fixture);
    return {
      ...engine,
      async [Symbol.asyncDispose]() {
        expect((fixture.store as ModelStore).audit()).toEqual([]);
        await engine[Symbol.asyncDispose]();
      },
    };
  },
});
