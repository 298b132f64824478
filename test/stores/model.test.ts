import { expect } from 'vitest';
import { storeConformance } from '../conformance/store/store-conformance.ts';
import { createModelStore } from '../support/model-store/model-store.ts';

storeConformance({
  name: 'model',
  async open() {
    const store = createModelStore();
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        expect(store.audit()).toEqual([]);
        await store.close();
      },
    };
  },
});
