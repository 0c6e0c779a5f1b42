import { EventEmitter, once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { OpenConnections } from './open-connections.js';

describe('connections above the limit of an address', () => {
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
  /** Resolves to an empty string if the connection is closed. */
  const answerOf = async (socket: Socket): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
    return String(data);
  };

  it('are closed and logged once, until another one ends', async () => {
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

  it('stay open for a proxy', async () => {
    await open(1, '127.0.0.1');
    const sockets = [await connect(), await connect(), await connect()];
    for (const socket of sockets) expect(await answerOf(socket)).toContain('answered');
  });
});

describe('closing connections', () => {
  let server: Server;
  let connections: OpenConnections;
  let agent: Agent;
  let onRequest: (response: ServerResponse) => void;

  beforeEach(async () => {
    onRequest = (response) => void response.end();
    server = createServer((_, response) => onRequest(response));
    connections = new OpenConnections(server);
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    agent.destroy();
    connections.cut();
  });

  /** The Connection header of the response, and whether it came on a reused connection. */
  const ask = async (): Promise<[connection: string | undefined, isReused: boolean]> => {
    const { port } = server.address() as AddressInfo;
    const sent = get({ port, host: '127.0.0.1', agent });
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return [answer.headers.connection, sent.reusedSocket];
  };

  it('accept one more request, and announce the close with its response', async () => {
    expect(await ask()).toEqual(['keep-alive', false]);
    const address = server.address();
    const drained = connections.drain();
    server.address = () => address; // it no longer listens
    expect(await ask()).toEqual(['close', true]);
    await drained;
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
  });

  it('end by themselves after the announced keep-alive time', async () => {
    server.keepAliveTimeout = 50;
    await ask();
    await connections.drain();
    expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0);
  });

  it('are not awaited forever', async () => {
    server.keepAliveTimeout = 50;
    const received = new Promise<ServerResponse>((resolve) => (onRequest = resolve));
    const answer = ask();
    const response = await received;
    await connections.drain();
    response.end();
    expect((await answer)[0]).toBe('keep-alive');
  });

  it('wait for a request that arrives when the others are answered', async () => {
    const begin = (): (() => boolean) => {
      const response = Object.assign(new EventEmitter(), { setHeader: () => undefined, socket: {} });
      server.emit('request', {}, response);
      return () => response.emit('close');
    };
    onRequest = () => undefined;
    const endFirst = begin();
    let hasFinished = false;
    const finished = connections.finish().then(() => (hasFinished = true));
    endFirst();
    const endSecond = begin(); // accepted earlier
    await nextTurn();
    await nextTurn();
    expect(hasFinished).toBe(false);
    endSecond();
    await finished;
  });
});
