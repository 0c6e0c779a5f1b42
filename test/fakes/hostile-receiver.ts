import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface HostileReceiver {
  readonly port: number;
  readonly url: string;
  /** Number of connections so far. */
  readonly connections: number;
  readonly requests: readonly string[];
  /** Resolves when no connection is open. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

/** Called with each request head. `request` counts from 1 on each connection. */
export type Behaviour = (socket: Socket, request: number) => void;

/** Starts a receiver on raw TCP, which can violate HTTP in any way. */
export async function startHostileReceiver(
  behaviour: Behaviour,
  host = '127.0.0.1',
  greet: (socket: Socket) => void = () => undefined,
): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  let whenDrained: (() => void)[] = [];
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let count = 0;
    let head = '';
    socket.on('error', () => undefined);
    greet(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      for (const resolve of whenDrained) resolve();
      whenDrained = [];
    });
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      requests.push(head);
      head = '';
      count += 1;
      behaviour(socket, count);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    get connections() {
      return connections;
    },
    drained: () =>
      new Promise((resolve) => {
        if (sockets.size === 0) resolve();
        else whenDrained.push(resolve);
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes `first`, then `piece` repeatedly: as fast as it is read, or every `everyMs`. */
export function forever(first: string, piece: string | Buffer, everyMs = 0): Behaviour {
  return (socket) => {
    socket.write(first);
    if (everyMs > 0) {
      const timer = setInterval(() => socket.write(piece), everyMs);
      socket.on('close', () => clearInterval(timer));
      return;
    }
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };
}
