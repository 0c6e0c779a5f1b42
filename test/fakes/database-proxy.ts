import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a server and its MySQL database, and spoils the way between them. */
export interface DatabaseProxy {
  /** The database's URL by way of the proxy. */
  readonly url: string;
  /** How many statements were lost, or their replies. */
  readonly losses: number;
  /** The connection ends in place of the next statement that contains `text`. */
  lose(text: string): void;
  /** The next statement that contains `text` is carried out, but the connection ends in place of its answer. */
  loseReplyTo(text: string): void;
  /** Nothing goes through any more in either direction, and nobody is told; `heal` lets new connections through. */
  fallSilent(): void;
  heal(): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let next: { readonly text: string; readonly isCarriedOut: boolean } | undefined;
  let losses = 0;
  let isSilent = false;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const proxy = createServer((near) => {
    const far = connect(Number(target.port || 3306), target.hostname);
    let isDoomed = false;
    let isDumb = isSilent;
    const isCutOff = (): boolean => (isDumb ||= isSilent);
    const breakOff = (): void => {
      losses += 1;
      near.resetAndDestroy();
      far.destroy();
    };
    for (const socket of [near, far]) keep(socket);
    near.on('data', (chunk) => {
      if (isCutOff()) return;
      if (next === undefined || !chunk.includes(next.text)) return void far.write(chunk);
      isDoomed = true;
      if (next.isCarriedOut) far.write(chunk);
      else breakOff();
      next = undefined;
    });
    far.on('data', (chunk) => {
      if (isCutOff()) return;
      if (!isDoomed) return void near.write(chunk);
      breakOff();
    });
    near.on('close', () => far.destroy());
    far.on('close', () => isCutOff() || near.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get losses() {
      return losses;
    },
    lose: (text) => (next = { text, isCarriedOut: false }),
    loseReplyTo: (text) => (next = { text, isCarriedOut: true }),
    fallSilent: () => (isSilent = true),
    heal: () => (isSilent = false),
    close: async () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
