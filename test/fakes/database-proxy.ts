import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a server and its MySQL database, and spoils the way between them. */
export interface DatabaseProxy {
  /** The database's URL by way of the proxy. */
  readonly url: string;
  /** How many statements were lost, or their replies. */
  readonly losses: number;
  /** How many of its connections are open towards the database, and how many were ended there without a farewell. */
  readonly open: number;
  readonly aborted: number;
  /** The connection ends in place of the next statement that contains `text`. */
  lose(text: string): void;
  /** The next statement that contains `text` is carried out, but the connection ends in place of its answer. */
  loseReplyTo(text: string): void;
  /** The next statement that contains `text` is carried out, but from then on its connection is silent, as below. */
  muteAfter(text: string): void;
  /**
   * Nothing goes through any more in either direction, the end of a connection neither, and nobody is told; `heal` lets
   * new connections through.
   */
  fallSilent(): void;
  heal(): void;
  close(): Promise<void>;
}

const COM_QUIT = Buffer.from([1, 0, 0, 0, 1]);

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let next: { readonly text: string; readonly fate: 'lost' | 'reply lost' | 'mute' } | undefined;
  let losses = 0;
  let open = 0;
  let aborted = 0;
  let isSilent = false;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  // Each end is passed on by hand, or is not: a socket must not answer the end of the other side by itself.
  const allowHalfOpen = true;
  const proxy = createServer({ allowHalfOpen }, (near) => {
    keep(near);
    if (isSilent) return void near.resume();
    const far = connect({ port: Number(target.port || 3306), host: target.hostname, allowHalfOpen });
    keep(far);
    let isDoomed = false;
    let isMute = false;
    let isFarewell = false;
    const isCutOff = (): boolean => (isMute ||= isSilent);
    const breakOff = (): void => {
      losses += 1;
      near.resetAndDestroy();
      far.destroy();
    };
    open += 1;
    far.on('close', () => (open -= 1));
    near.on('data', (chunk) => {
      if (isCutOff()) return;
      isFarewell = chunk.subarray(-COM_QUIT.length).equals(COM_QUIT);
      if (next === undefined || !chunk.includes(next.text)) return void far.write(chunk);
      const { fate } = next;
      next = undefined;
      isDoomed = fate === 'reply lost';
      isMute = fate === 'mute';
      if (fate === 'lost') breakOff();
      else far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (isCutOff()) return;
      if (!isDoomed) return void near.write(chunk);
      breakOff();
    });
    near.on('end', () => {
      if (isCutOff()) return;
      if (!isFarewell) aborted += 1;
      far.end();
    });
    far.on('end', () => isCutOff() || near.end());
    near.on('close', () => isCutOff() || far.destroy());
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
    get open() {
      return open;
    },
    get aborted() {
      return aborted;
    },
    lose: (text) => (next = { text, fate: 'lost' }),
    loseReplyTo: (text) => (next = { text, fate: 'reply lost' }),
    muteAfter: (text) => (next = { text, fate: 'mute' }),
    fallSilent: () => (isSilent = true),
    heal: () => (isSilent = false),
    close: async () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
