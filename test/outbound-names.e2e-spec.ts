import files from 'node:fs/promises';
import { type DnsServer, startDnsServer, type Zone } from './fakes/dns-server.js';
import { type HostileReceiver, startHostileReceiver } from './fakes/hostile-receiver.js';
import { type Outbound, startOutbound } from './support/outbound.js';

const SLOW = Array.from({ length: 20 }, (_, index) => `n${index}.slow.test`);
const ZONE: Zone = {
  ...Object.fromEntries(SLOW.map((name) => [name, ['NXDOMAIN', 'SILENT']])),
  'cached.slow.test': [['127.0.0.1'], 'SILENT'],
  'cached.test': [['127.0.0.1'], 'SILENT'],
  'other.test': [['127.0.0.1']],
};

describe('names while a name server does not respond', () => {
  let dns: DnsServer;
  let receiver: HostileReceiver;
  let client: Outbound;

  const start = async (ttl: number, allowed = '127.0.0.1,::1'): Promise<void> => {
    dns = await startDnsServer(ZONE, ttl);
    client = await startOutbound({ ALLOWED_INTERNAL_HOSTS: allowed, DNS_SERVERS: dns.address });
  };
  const urlOf = (host: string): string => `http://${host}:${receiver.port}/hook`;

  beforeEach(async () => {
    receiver = await startHostileReceiver(
      (socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'),
      '127.0.0.1',
    );
    const read = files.readFile;
    jest
      .spyOn(files, 'readFile')
      .mockImplementation(((path: string, ...rest: never[]) =>
        path === '/etc/hosts' ? Promise.resolve('127.0.0.1 in-hosts.test') : read(path, ...rest)) as never);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.close();
    dns.close();
    await receiver.close();
  });

  it('do not wait for it', async () => {
    await start(60);
    for (const host of ['cached.test', 'cached.slow.test']) await client.post(urlOf(host));
    for (const host of SLOW) await client.failureOf(urlOf(host)); // it answers once
    let failures = 0;
    const slow = SLOW.map((host) =>
      client.failureOf(urlOf(host), { timeoutMs: 20_000 }).finally(() => failures++),
    );
    while (SLOW.every((host) => dns.asked(host) < 2)) await new Promise((resolve) => setTimeout(resolve, 5));
    const hosts = ['localhost', 'x.localhost', 'in-hosts.test', '127.0.0.1', 'other.test', 'cached.test'];
    hosts.push('cached.slow.test');
    for (const host of hosts) expect((await client.post(urlOf(host))).status).toBe(200);
    expect(failures).toBe(0);
    for (const failure of await Promise.all(slow))
      expect(failure).toMatchObject({
        errorClass: 'dns',
        message: expect.stringMatching(/^The host name cannot be resolved/),
      });
    const next = await client.failureOf(urlOf('new.slow.test'));
    expect(next.message).toContain('did not answer a few seconds ago');
    expect(dns.asked('new.slow.test')).toBe(0);
  });

  it('are cached for the TTL of the answer, and checked each time', async () => {
    await start(60);
    for (const host of ['cached.test', 'cached.slow.test']) await client.post(urlOf(host));
    for (const host of ['cached.test', 'cached.slow.test', 'CACHED.test'])
      expect((await client.post(urlOf(host))).status).toBe(200);
    expect(dns.asked('cached.test')).toBe(1);
    await client.close();
    dns.close();
    await start(60, '127.0.0.1:1');
    for (let call = 0; call < 2; call++)
      expect((await client.failureOf(urlOf('cached.test'))).errorClass).toBe('refused_address');
    expect(dns.asked('cached.test')).toBe(1);
    for (const host of ['localhost', 'x.localhost', 'in-hosts.test'])
      expect((await client.failureOf(urlOf(host))).errorClass).toBe('refused_address');
    expect(receiver.connections).toBe(5);
  });
});
