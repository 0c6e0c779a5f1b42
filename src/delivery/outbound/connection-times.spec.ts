import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server } from 'node:tls';
import { Agent } from 'undici';
import { selfSigned } from '../../../test/fakes/self-signed.js';
import { type ConnectionTimes, onNextConnection, timeConnection } from './connection-times.js';

describe('connection times', () => {
  let server: Server;
  let agent: Agent;

  beforeEach(async () => {
    server = createServer(selfSigned, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    agent = new Agent({
      connections: 1,
      connect: ({ port }, callback) => {
        const socket = connect({ host: 'localhost', port: Number(port), rejectUnauthorized: false });
        socket.setKeepAlive(true);
        socket.once('secureConnect', () => callback(null, socket));
        socket.once('error', (error) => callback(error, null));
        timeConnection(socket);
      },
    });
  });
  afterEach(async () => {
    await agent.destroy();
    server.close();
  });

  it('records each step of a new connection, including DNS and TLS, and none of a reused one', async () => {
    const { port } = server.address() as AddressInfo;
    const call = async (): Promise<ConnectionTimes | undefined> => {
      let steps: ConnectionTimes | undefined;
      await new Promise<void>((resolve, reject) =>
        agent.dispatch(
          { origin: `https://localhost:${port}`, path: '/', method: 'GET' },
          {
            onRequestStart: () => onNextConnection((_socket, told) => (steps = told)),
            onResponseEnd: () => resolve(),
            onResponseError: (_, error) => reject(error),
          },
        ),
      );
      return steps;
    };
    const first = await call();
    for (const step of ['nameMs', 'connectMs', 'tlsMs'] as const) expect(first?.[step]).toBeGreaterThan(0);
    expect(await call()).toEqual({ nameMs: -1, connectMs: -1, tlsMs: -1 });
  });
});
