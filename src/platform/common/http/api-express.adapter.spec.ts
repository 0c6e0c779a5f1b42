import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { ApiExpressAdapter } from './api-express.adapter.js';
import { OpenConnections } from './open-connections.js';

async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('pipelined requests', () => {
  let server: Server;
  let connections: OpenConnections;
  let handled: [path: string, response: Response][];

  beforeEach(async () => {
    const adapter = new ApiExpressAdapter();
    handled = [];
    const app = adapter.getInstance<Express>();
    app.use((request: Request, response: Response) => void handled.push([request.url, response]));
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

  async function send(text: string): Promise<{ socket: Socket; answers: () => string }> {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answers = '';
    socket.on('data', (data) => (answers += data.toString())).on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return { socket, answers: () => answers };
  }

  it('start one after the other, and are answered in order', async () => {
    const { answers } = await send(request('/1') + request('/2', 'two') + request('/3'));
    for (const path of ['/1', '/2', '/3']) {
      await eventually(() => handled.at(-1)?.[0] === path);
      handled.at(-1)?.[1].end(`answer to ${path}`);
    }
    await eventually(() => /answer to \/1[^]*answer to \/2[^]*answer to \/3/.test(answers()));
    expect(handled).toHaveLength(3);
  });

  it('do not start once their connection has ended, and do not delay a shutdown', async () => {
    const { socket } = await send(request('/1') + request('/2', 'two') + request('/3', 'three'));
    await eventually(() => handled.length === 1);
    socket.destroy();
    await once(handled[0]![1], 'close');
    handled[0]?.[1].end('late');
    await connections.finish();
    expect(handled).toHaveLength(1);
  });

  it('are answered before the connection of a malformed one is closed, if they have started', async () => {
    const { socket, answers } = await send(request('/1') + request('/2') + 'nonsense\r\n\r\n');
    await eventually(() => handled.length === 1);
    handled[0]?.[1].end('answer to /1');
    await once(socket, 'close');
    expect(answers()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*answer to \/1$/);
    expect(handled).toHaveLength(1);
  });

  it('are cut off when there are too many', async () => {
    const { socket } = await send(Array.from({ length: 100 }, (_, n) => request(`/${n}`)).join(''));
    await eventually(() => socket.closed);
    await connections.finish();
    expect(handled).toHaveLength(1);
  });
});
