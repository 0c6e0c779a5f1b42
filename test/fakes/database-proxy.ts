import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a server and its MySQL database that breaks connections on request. */
export interface DatabaseProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Number of lost statements and replies. */
  readonly losses: number;
  /** Number of open connections to the database. */
  readonly open: number;
  /** Number of connections that were ended without COM_QUIT. */
  readonly aborted: number;
  /** Closes the connection instead of forwarding the next statement that contains `text`. */
  lose(text: string): void;
  /** Forwards the next statement that contains `text`, and closes the connection instead of forwarding its reply. */
  loseReplyTo(text: string): void;
  /** Forwards the next statement that contains `text`, and loses the reply to the commit of its transaction. */
  loseCommitOf(text: string): void;
  /** Forwards the next statement that contains `text`, and holds the commit of its transaction back until `release`. */
  holdCommitOf(text: string): void;
  /** Whether a commit is held back. */
  readonly isHolding: boolean;
  /** Forwards what is held back. */
  release(): void;
  /** Forwards the next statement that contains `text`, and from then on nothing on its connection, as `fallSilent` does. */
  muteAfter(text: string): void;
  /** Stops forwarding in both directions without closing anything. Closing is not forwarded either. */
  fallSilent(): void;
  /** Forwards new connections again. */
  heal(): void;
  close(): Promise<void>;
}

type Fate = 'lost' | 'reply lost' | 'commit lost' | 'commit held' | 'mute';

const COM_QUIT = Buffer.from([1, 0, 0, 0, 1]);

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let next: { readonly text: string; readonly fate: Fate } | undefined;
  let held: (() => void)[] = [];
  let losses = 0;
  let open = 0;
  let aborted = 0;
  let isSilent = false;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  // The proxy decides whether to forward the end of a connection, so sockets must not end by themselves.
  const allowHalfOpen = true;
  const proxy = createServer({ allowHalfOpen }, (near) => {
    keep(near);
    if (isSilent) return void near.resume();
    const far = connect({ port: Number(target.port || 3306), host: target.hostname, allowHalfOpen });
    keep(far);
    let isDoomed = false;
    let isMute = false;
    /** What happens to the next commit of the connection. */
    let commitFate: Fate | undefined;
    let isQuit = false;
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
      isQuit = chunk.subarray(-COM_QUIT.length).equals(COM_QUIT);
      const fate = next !== undefined && chunk.includes(next.text) ? next.fate : undefined;
      if (fate !== undefined) next = undefined;
      if (fate === 'commit lost' || fate === 'commit held') commitFate = fate;
      const isCommit = commitFate !== undefined && chunk.includes('COMMIT');
      if (isCommit && commitFate === 'commit held') {
        commitFate = undefined;
        return void held.push(() => far.write(chunk));
      }
      isDoomed ||= fate === 'reply lost' || isCommit;
      if (fate === undefined) return void far.write(chunk);
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
      if (!isQuit) aborted += 1;
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
    loseCommitOf: (text) => (next = { text, fate: 'commit lost' }),
    holdCommitOf: (text) => (next = { text, fate: 'commit held' }),
    get isHolding() {
      return held.length > 0;
    },
    release: () => {
      for (const forward of held) forward();
      held = [];
    },
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
