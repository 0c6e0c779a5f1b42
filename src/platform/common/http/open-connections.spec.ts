import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { OpenConnections } from './open-connections.js';

describe('connections beyond what an address may have', () => {
  let server: Server;
  let connections: OpenConnections;
  const open = async (perAddress: number, proxy?: string): Promise<void> => {
    server = createServer((_, response) => response.end('answered'));
    connections = new OpenConnections(server, { perAddress, isProxy: (address) => address === proxy });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  afterEach(() => {
    connections.cut();
    server.close();
    jest.restoreAllMocks();
  });

  const connect = async (): Promise<Socket> => {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  /** Resolves to nothing if the connection is closed. */
  const answerOf = async (socket: Socket): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
    return String(data);
  };

  it('are closed, with one line in the log, until one of the others ends', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await open(2);
    const [first, second] = [await connect(), await connect()];
    for (let n = 0; n < 3; n++) expect(await answerOf(await connect())).toBe('');
    expect(await answerOf(first)).toContain('answered');
    expect(warn.mock.calls).toEqual([
      ['Connections of 127.0.0.1 are closed: it has 2 (CONNECTIONS_PER_ADDRESS).'],
    ]);
    second.destroy();
    let answer = '';
    while (answer === '') answer = await answerOf(await connect());
    expect(answer).toContain('answered');
  });

  it('are open if it is a proxy', async () => {
    await open(1, '127.0.0.1');
    const sockets = [await connect(), await connect(), await connect()];
    for (const socket of sockets) expect(await answerOf(socket)).toContain('answered');
  });
});
