import * as endpoints from '../api/contract/output-endpoints.ts';
import type { OutputOperations, OutputPage } from '../core/index.ts';
import type { Connection } from './connection.ts';
import { waitFor } from './waiting.ts';

export function remoteOutputOperations(
  { call, clock }: Connection,
  namespace: string,
): OutputOperations {
  return {
    async append(task, fence, chunks) {
      await call(endpoints.appendOutput, { params: { namespace, task }, body: { fence, chunks } });
    },
    async read(task, { signal, waitMs = 0, ...query } = {}) {
      try {
        return await waitFor<OutputPage>({
          clock,
          waitMs,
          ask: (ms) =>
            call(endpoints.readOutput, {
              params: { namespace, task },
              query: { ...query, waitMs: ms },
              signal,
              waitMs: ms,
            }),
          isEnough: ({ chunks, ended }) => ended || chunks.length > 0 || signal?.aborted === true,
        });
      } catch (error) {
        if (signal?.aborted) return { fence: query.fence ?? null, chunks: [], ended: false };
        throw error;
      }
    },
    tail: (task, query = {}) => call(endpoints.tailOutput, { params: { namespace, task }, query }),
  };
}
