import { EventEmitter, once } from 'node:events';
import { type Server, ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import { byteRoom } from './byte-room.js';
import type { HttpRequest } from './http-request.js';
import { writeContent, writeJson } from './responses.js';

const MIB = 1024 * 1024;

describe('a long response', () => {
  let server: Server;
  let client: Socket;
  let response: Response;

  beforeEach(async () => {
    const app = express();
    app.use((request: Request, received: Response) => {
      response = received;
      (request as HttpRequest).isLocal = false;
      if (request.path === '/json') writeJson(response, 200, { posts: ['x'.repeat(20 * MIB)] });
      else writeContent(response, Buffer.alloc(20 * MIB));
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    client.destroy();
    server.close();
    jest.restoreAllMocks();
  });

  const ask = async (path: string): Promise<void> => {
    client = net.connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    const asked = once(server, 'request');
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await asked;
  };
  /** Whether the address has room for this many more bytes. */
  const hasRoomFor = (bytes: number): boolean => {
    const probe = new EventEmitter() as Response;
    const refusal = byteRoom.open({ ip: '127.0.0.1', isLocal: false } as HttpRequest, probe).take(bytes);
    probe.emit('close');
    return refusal === undefined;
  };

  it.each(['/json', '/content'])(
    'counts with the bytes of its address until the client has it: %s',
    async (path) => {
      await ask(path);
      expect(hasRoomFor(29 * MIB)).toBe(false);
      client.destroy();
      await once(response, 'close');
      expect(hasRoomFor(48 * MIB)).toBe(true);
    },
  );

  it('is cut off when the client reads nothing for 30 s', async () => {
    const { setTimeout } = ServerResponse.prototype;
    const spy = jest.spyOn(ServerResponse.prototype, 'setTimeout').mockImplementation(function (
      this: ServerResponse,
    ) {
      return setTimeout.call(this, 50);
    });
    await ask('/json');
    await once(response, 'close');
    expect(spy).toHaveBeenCalledWith(30_000);
  });

  it('is sent whole to a client that reads it', async () => {
    await ask('/content');
    let bytes = 0;
    client.on('data', (data) => (bytes += data.length)).resume();
    await once(response, 'close');
    expect(bytes).toBeGreaterThan(19 * MIB);
  });
});
