import { createApiService } from '../../src/api/server/create-api-service.ts';
import { connectEngine } from '../../src/client/connect-engine.ts';
import { OWNER } from '../../src/core/index.ts';
import type { EngineFixture } from '../conformance/engine/engine-under-test.ts';
import type { HostFixture } from './engine-host.ts';

/** The engine as its clients have it: through HTTP on a loopback port. */
export async function remote({ host, store, clock }: HostFixture): Promise<EngineFixture> {
  const service = createApiService({
    host,
    clock,
    version: '1.0.0',
    auth: { mode: 'loopback' },
    listen: { host: '127.0.0.1', port: 0 },
  });
  await service.start();
  const url = service.url ?? '';
  return {
    clock,
    engine: connectEngine({ url }),
    async as({ name, role, namespaces }) {
      const { secret } = await host.handle(OWNER).tokens.create({ name, role, namespaces });
      return connectEngine({ url, token: secret });
    },
    closeStore: () => store.close(),
    async [Symbol.asyncDispose]() {
      host.stopWaiting();
      await service.stop();
      await host.close();
    },
  };
}
