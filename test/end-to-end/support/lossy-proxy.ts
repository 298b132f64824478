import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a program and its database. */
export interface LossyProxy extends AsyncDisposable {
  readonly port: number;
  /** From now on requests pass and replies are thrown away, for this long; then all connections break. */
  loseReplies(ms: number): Promise<void>;
}

export async function openLossyProxy(to: { host: string; port: number }): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  let isLosing = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(to);
    track(client);
    track(upstream);
    client.on('data', (data) => void upstream.write(data));
    upstream.on('data', (data) => {
      if (!isLosing) client.write(data);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    async loseReplies(ms) {
      isLosing = true;
      await new Promise((resolve) => setTimeout(resolve, ms));
      isLosing = false;
      breakAll();
    },
    async [Symbol.asyncDispose]() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
