import { describe, expect, it } from 'vitest';
import { connectEngine } from './connect-engine.ts';

describe('a submission through HTTP', () => {
  it('refuses a transaction of the caller before anything is sent', async () => {
    const engine = connectEngine({ url: 'http://127.0.0.1:9' });

    await expect(engine.tasks.submit('q', [{}], { tx: {} })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/^tx: a transaction does not reach across HTTP/),
    });
  });
});
