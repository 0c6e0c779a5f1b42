import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { OutboundFailure } from '../src/delivery/outbound/outbound-failure.js';
import { ProxyTunnel } from '../src/delivery/outbound/proxy-tunnel.js';
import { type DnsServer, startDnsServer } from './fakes/dns-server.js';
import { Receiver } from './fakes/receiver.js';
import { selfSigned } from './fakes/self-signed.js';
import { type Outbound, startOutbound } from './support/outbound.js';

const ZONE = {
  'hook.test': [['127.0.0.1']],
  'two.test': [['127.0.0.9', '127.0.0.1']],
  'silent.test': [['127.0.0.8', '127.0.0.1']],
  'internal.test': [['10.0.0.1']],
};
const PASSWORD = 'p@ss word:1';

/** docs/contract/outgoing-webhooks.md#calls */
describe('calls through a proxy', () => {
  let proxy: Server;
  let dns: DnsServer;
  let receiver: Receiver;
  let client: Outbound;
  let targets: string[];
  let status: number;

  beforeAll(async () => {
    dns = await startDnsServer(ZONE);
    receiver = await Receiver.start();
    proxy = createServer((_, response) => void response.writeHead(500).end());
    proxy.on('connect', (request, socket) => {
      targets.push(request.url ?? '');
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const expected = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;
      const refusal = request.headers['proxy-authorization'] === expected ? status : 407;
      if (refusal === 0 || host === '127.0.0.8') return;
      if (refusal !== 200) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      const target = connect(Number(port), host.replace('hook.test', '127.0.0.1'), () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      target.on('error', () => socket.end('HTTP/1.1 502 No\r\n\r\n'));
      socket.on('error', () => target.destroy());
      socket.on('close', () => target.destroy());
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    dns.close();
    await receiver.close();
    proxy.closeAllConnections();
    proxy.close();
  });
  beforeEach(() => {
    targets = [];
    status = 200;
    receiver.calls.length = 0;
  });
  afterEach(() => client.close());

  const start = async (env: Record<string, string> = {}, password = PASSWORD): Promise<void> => {
    const { port } = proxy.address() as AddressInfo;
    client = await startOutbound({
      ALLOWED_INTERNAL_HOSTS: '127.0.0.0/8',
      DNS_SERVERS: dns.address,
      OUTGOING_PROXY: `http://user:${encodeURIComponent(password)}@127.0.0.1:${port}`,
      ...env,
    });
  };
  const portOf = (): string => new URL(receiver.origin).port;
  const urlOf = (host: string): string => `http://${host}:${portOf()}/hook`;

  it('connect to the address that was checked, and keep the name', async () => {
    await start();
    expect((await client.post(urlOf('hook.test'))).status).toBe(200);
    const { timing } = await client.post(urlOf('127.0.0.1'));
    expect(timing).toMatchObject({ nameMs: -1, connectMs: expect.any(Number), tlsMs: -1 });
    expect(targets).toEqual([`127.0.0.1:${portOf()}`, `127.0.0.1:${portOf()}`]);
    expect(receiver.calls.map(({ headers }) => headers.host)).toEqual([
      `hook.test:${portOf()}`,
      `127.0.0.1:${portOf()}`,
    ]);
    expect(JSON.stringify(receiver.calls)).not.toContain('proxy-authorization');
  });

  it('reuse connections', async () => {
    await start();
    for (let n = 0; n < 10; n++) await client.post(urlOf('hook.test'));
    expect(targets.length).toBeLessThan(10);
  });

  it('try the other addresses of a host', async () => {
    await start();
    expect((await client.post(urlOf('two.test'))).status).toBe(200);
    expect(targets).toEqual([`127.0.0.9:${portOf()}`, `127.0.0.1:${portOf()}`]);
  });

  it('leave time for the other addresses if one does not answer', async () => {
    await start({ OUTGOING_TIMEOUT: '600ms' });
    expect((await client.post(urlOf('silent.test'))).status).toBe(200);
    expect(targets).toEqual([`127.0.0.8:${portOf()}`, `127.0.0.1:${portOf()}`]);
  });

  it.each(['http://internal.test/', 'http://10.0.0.1/', 'http://[::ffff:10.0.0.1]/'])(
    'never ask the proxy for the internal address of %s',
    async (url) => {
      await start();
      expect(await client.failureOf(url)).toMatchObject({ errorClass: 'refused_address' });
      expect(targets).toEqual([]);
    },
  );

  it('leave names to the proxy if it resolves them, but not addresses', async () => {
    await start({ OUTGOING_PROXY_RESOLVES: 'true' });
    const asked = dns.asked('hook.test');
    expect((await client.post(urlOf('hook.test'))).status).toBe(200);
    expect([targets, dns.asked('hook.test')]).toEqual([[`hook.test:${portOf()}`], asked]);
    expect(await client.failureOf('http://10.0.0.1/')).toMatchObject({ errorClass: 'refused_address' });
    expect(targets).toHaveLength(1);
  });

  it.each(['localhost', 'app.localhost', 'LOCALHOST.'])(
    'never ask a proxy that resolves names for %s, unless it is allowed',
    async (host) => {
      await start({ OUTGOING_PROXY_RESOLVES: 'true', ALLOWED_INTERNAL_HOSTS: '' });
      expect(await client.failureOf(urlOf(host))).toMatchObject({ errorClass: 'refused_address' });
      expect(targets).toEqual([]);
    },
  );

  it('use TLS with the receiver', async () => {
    const server = createTlsServer(selfSigned, (socket) => socket.on('error', () => undefined));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await start();
    const failure = await client.failureOf(`https://hook.test:${(server.address() as AddressInfo).port}/`);
    expect(failure).toMatchObject({ errorClass: 'tls', message: expect.stringContaining('SELF_SIGNED') });
    expect(targets).toHaveLength(1);
    server.close();
  });

  const says = (failure: OutboundFailure, errorClass: string, text: string): void => {
    expect(failure).toMatchObject({ errorClass, message: expect.stringContaining('OUTGOING_PROXY') });
    expect(failure.message).toContain(text);
    expect(failure.message).not.toContain('user');
  };

  it('fail if the proxy refuses, without the password', async () => {
    await start({}, 'wrong');
    says(await client.failureOf(urlOf('hook.test')), 'connect', 'HTTP 407');
    await client.close();
    await start();
    status = 403;
    says(await client.failureOf(urlOf('hook.test')), 'connect', 'HTTP 403');
    expect(receiver.calls).toEqual([]);
  });

  it('do not try other addresses if the proxy itself cannot be used', async () => {
    await start({}, 'wrong');
    says(await client.failureOf(urlOf('two.test')), 'connect', 'HTTP 407');
    expect(targets).toEqual([`127.0.0.9:${portOf()}`]);
    await client.close();
    await start({ OUTGOING_PROXY: 'http://127.0.0.1:9' });
    const open = jest.spyOn(ProxyTunnel.prototype, 'open');
    says(await client.failureOf(urlOf('two.test')), 'connect', 'ECONNREFUSED');
    expect(open).toHaveBeenCalledTimes(1);
    open.mockRestore();
  });

  it('fail if the proxy cannot be reached, or does not answer', async () => {
    await start({ OUTGOING_PROXY: 'http://127.0.0.1:9' });
    says(await client.failureOf(urlOf('hook.test')), 'connect', 'ECONNREFUSED');
    await client.close();
    await start({ OUTGOING_TIMEOUT: '200ms' });
    status = 0;
    says(await client.failureOf(urlOf('hook.test')), 'timeout', 'in time');
  });

  it.each(['ftp://proxy', 'proxy:3128', 'http://proxy/path', 'http://user:100%25%@proxy', 'https://proxy'])(
    'are not configured by %s',
    async (OUTGOING_PROXY) => {
      await start();
      const text = await startOutbound({ OUTGOING_PROXY }).catch((error: Error) => error.message);
      expect(text).toContain('OUTGOING_PROXY must be a URL');
      expect(text).not.toContain('100%');
    },
  );
});
