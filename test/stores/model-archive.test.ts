import { describe, expect } from 'vitest';
import { archiveStoreConformance } from '../conformance/store/archive-store.ts';
import { createModelStore } from '../support/model-store/model-store.ts';

describe('the model store', () => {
  archiveStoreConformance({
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
});
