/** Plain HTTP to a server: shares no code with what it tests. */
export interface Api {
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  counts(queue: string): Promise<Record<string, number>>;
  /** The ids of the new tasks, in order. */
  submit(queue: string, tasks: readonly unknown[], key: string): Promise<string[]>;
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says; the test looks at it
  readonly body: any;
}

const IN_DEFAULT = '/namespaces/default';

export function apiOf(url: string): Api {
  const request: Api['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/api/v1${IN_DEFAULT}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const must = async (reply: Promise<Reply>): Promise<Reply> => {
    const { status, body } = await reply;
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return { status, body };
  };
  return {
    request,
    async counts(queue) {
      return (await must(request('GET', `/queues/${queue}/counts`))).body;
    },
    async submit(queue, tasks, key) {
      const headers = { 'idempotency-key': key };
      const reply = await must(request('POST', `/queues/${queue}/tasks`, { tasks }, headers));
      return reply.body.tasks.map(({ id }: { id: string }) => id);
    },
  };
}
