import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Express, Response } from 'express';
import { bodyReader } from './body-reader.js';
import { FairTurns } from './fair-turns.js';
import { ApiExpressAdapter } from './api-express.adapter.js';
import type { HttpRequest } from './http-request.js';
import { OpenConnections } from './open-connections.js';
import { awaitTurn } from './pipelined-requests.js';

const MIB = 1024 * 1024;

async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('pipelined requests', () => {
  let server: Server;
  let connections: OpenConnections;
  let turns: FairTurns;
  let handled: [path: string, response: Response][];

  beforeEach(async () => {
    const adapter = new ApiExpressAdapter();
    turns = new FairTurns(() => true);
    handled = [];
    const app = adapter.getInstance<Express>();
    app.use(bodyReader(() => 16 * MIB, turns) as never);
    app.use(turns.wait as never);
    app.use(((request: HttpRequest, response: Response) => handled.push([request.url, response])) as never);
    server = adapter.createServer();
    connections = new OpenConnections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    connections.cut();
    server.close();
  });

  const request = (path: string, body = ''): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  async function send(text: string): Promise<Socket> {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(text);
    return socket;
  }

  it('are answered before the connection of a malformed one is closed, as far as they have begun', async () => {
    const socket = await send(request('/1') + request('/2') + 'nonsense\r\n\r\n');
    let answers = '';
    socket.on('data', (data) => (answers += data.toString()));
    await eventually(() => handled.length === 1);
    handled[0]?.[1].end('answer to /1');
    await once(socket, 'close');
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*answer to \/1$/);
    expect(handled).toHaveLength(1);
  });

  it('begin one after the other, and are answered in their order', async () => {
    const socket = await send(request('/1') + request('/2', 'two') + request('/3'));
    let answers = '';
    socket.on('data', (data) => (answers += data.toString()));
    for (const path of ['/1', '/2', '/3']) {
      await eventually(() => handled.at(-1)?.[0] === path);
      handled.at(-1)?.[1].end(`answer to ${path}`);
    }
    await eventually(() => /answer to \/1[^]*answer to \/2[^]*answer to \/3/.test(answers));
    expect(handled).toHaveLength(3);
  });

  it('leave nothing behind when their connection ends before their turn', async () => {
    const socket = await send(request('/1') + request('/2', 'two') + request('/3', 'three'));
    await eventually(() => handled.length > 0);
    socket.destroy();
    await eventually(() => handled.every(([, response]) => response.closed));
    await connections.finish();
    const probe = { ip: '127.0.0.1', isLocal: false } as HttpRequest;
    expect(turns.body(probe, { once: () => undefined } as never).take(48 * MIB)).toBeUndefined();
  });

  it('do not begin on a connection that has closed, though Node hands it to them', () => {
    const [socket, response, begun] = [new EventEmitter(), new EventEmitter(), jest.fn()];
    awaitTurn({ socket } as never, response as never, begun);
    socket.emit('close');
    response.emit('socket', socket);
    expect(begun).not.toHaveBeenCalled();
  });

  it('are cut off when there are too many', async () => {
    const socket = await send(Array.from({ length: 100 }, (_, n) => request(`/${n}`)).join(''));
    await eventually(() => socket.closed);
    await connections.finish();
    expect(handled).toHaveLength(1);
  });
});
