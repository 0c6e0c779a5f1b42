import { networkInterfaces } from 'node:os';
import { type DnsServer, startDnsServer } from './fakes/dns-server.js';
import { type HostileReceiver, startHostileReceiver } from './fakes/hostile-receiver.js';
import { type Outbound, startOutbound } from './support/outbound.js';

/** Written into a URL unchanged. */
const SPELLINGS = `
  127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 127.000.000.001 0177.0.0.1 2130706433 0x7f000001
  0x7f.1 0x7F.0x0.0x0.0x1 017700000001 0177.1 127.0x1 0 0.0.0.0 0.1.2.3 00 0x0 255.255.255.255 0xffffffff
  4294967295 10.0.0.1 10.255.255.255 167772161 172.16.0.1 172.31.255.255 192.168.0.1 0xc0a80001 100.64.0.1
  100.127.255.255 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 192.0.0.1 192.0.0.170
  192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1 224.0.0.1 239.255.255.250
  240.0.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.0.0.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 %30 [::1] [::] [0:0:0:0:0:0:0:1]
  [0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::ffff:0:127.0.0.1]
  [::ffff:10.0.0.1] [::ffff:169.254.169.254] [::ffff:0.0.0.0] [::127.0.0.1] [::7f00:1]
  [64:ff9b::127.0.0.1] [64:ff9b::a00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [64:ff9b:1::7f00:1]
  [2002:7f00:1::] [2002:a00:1::1] [2002:a9fe:a9fe::] [2001:0:4136:e378:8000:63bf:80ff:fffe] [2001::1]
  [2001:2::1] [2001:10::1] [2001:db8::1] [3fff::1] [100::1] [5f00::1] [fc00::1] [fd00::1] [fd00:ec2::254]
  [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1] [fe80::1%25lo] [::1%25lo] [::1%lo] [v1.1] 127.0.0.1%00
  127.0.0.1%20 1.2.3.256 0x 09.1
`
  .trim()
  .split(/\s+/);

const PUBLIC = '198.41.0.4';

/** The successive answers of the private name server. */
const ZONE = {
  'loop.test': [['127.0.0.1']],
  'loop6.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'compatible.test': [['::127.0.0.1']],
  'nat64.test': [['64:ff9b::7f00:1']],
  'six-to-four.test': [['2002:7f00:1::']],
  'zero.test': [['0.0.0.0']],
  'zero6.test': [['::']],
  'metadata.test': [['169.254.169.254']],
  'private.test': [['10.1.2.3']],
  'ula.test': [['fd00::1']],
  'link-local.test': [['fe80::1']],
  'mixed.test': [[PUBLIC, '127.0.0.1']],
  'mixed-families.test': [[PUBLIC, '::1']],
  'mixed-mapped.test': [[PUBLIC, '::ffff:127.0.0.1']],
  'many.test': [[...Array.from({ length: 24 }, (_, index) => `198.41.0.${index + 1}`), '127.0.0.1']],
  localhost: [['127.0.0.1']],
  'rebound.test': [['127.0.0.2'], ['127.0.0.1']],
  'later.test': [['127.0.0.1'], ['127.0.0.2']],
  'broken.test': [['SERVFAIL']],
  'empty.test': [[]],
  'servfail.test': ['SERVFAIL'],
  'silent.test': ['SILENT'],
  'hook.test': [['127.0.0.1']],
  'sub.hook.test': [['127.0.0.1']],
  'other.test': [['127.0.0.1']],
  'nearby.test': [['127.0.0.9']],
} as const;

const hasV6 = Object.values(networkInterfaces()).some((faces) =>
  faces?.some((face) => face.address === '::1'),
);

describe('addresses that calls may reach', () => {
  let dns: DnsServer;
  let receiver: HostileReceiver;
  let opened: Outbound[] = [];

  /** One receiver on all loopback addresses, of both families if available. */
  const urlOf = (host: string): string => `http://${host}:${receiver.port}/hook`;
  const outbound = async (allowed = '', env: Record<string, string> = {}): Promise<Outbound> => {
    const started = await startOutbound({
      ALLOWED_INTERNAL_HOSTS: allowed,
      DNS_SERVERS: dns.address,
      ...env,
    });
    opened.push(started);
    return started;
  };

  beforeEach(async () => {
    dns = await startDnsServer(ZONE);
    receiver = await startHostileReceiver(
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
      hasV6 ? '::' : '0.0.0.0',
    );
  });
  afterEach(async () => {
    await Promise.all(opened.map((one) => one.close()));
    opened = [];
    dns.close();
    await receiver.close();
  });

  /** The result of a call to each host: `ok`, or the class of the failure. */
  const outcomes = async (client: Outbound, hosts: readonly string[]): Promise<Record<string, string>> => {
    const results = await Promise.all(
      hosts.map(async (host) => {
        const result = await client.post(urlOf(host)).catch((error: { errorClass: string }) => error);
        return [host, 'errorClass' in result ? result.errorClass : result.body.toString()] as const;
      }),
    );
    return Object.fromEntries(results);
  };
  const all = (hosts: readonly string[], outcome: string): Record<string, string> =>
    Object.fromEntries(hosts.map((host) => [host, outcome]));

  it('include no internal address in any notation', async () => {
    expect(new Set(SPELLINGS).size).toBeGreaterThanOrEqual(60);
    const found = await outcomes(await outbound(), SPELLINGS);
    const unreadable = Object.keys(found).filter((host) => found[host] === 'bad_url');
    // Hosts that the URL parser rejects are never resolved.
    expect(unreadable.join(' ')).toBe(
      '[fe80::1%25lo] [::1%25lo] [::1%lo] [v1.1] 127.0.0.1%00 127.0.0.1%20 1.2.3.256 09.1',
    );
    const rest = SPELLINGS.filter((host) => !unreadable.includes(host));
    expect(found).toEqual({ ...all(rest, 'refused_address'), ...all(unreadable, 'bad_url') });
    expect(receiver.connections).toBe(0);
  });

  it('include none through names', async () => {
    const names = Object.keys(ZONE).filter((name) => !/^(broken|empty|servfail|silent)\.test$/.test(name));
    const spelt = [...names, 'LOOP.TEST', 'loop.test.', 'alias.loop.test', 'alias.mixed.test'];
    spelt.push('l%6fop.test', 'ｌoop.test');
    expect(await outcomes(await outbound(), spelt)).toEqual(all(spelt, 'refused_address'));
    expect(receiver.connections).toBe(0);
  });

  it('include none through names of the system resolver', async () => {
    const names = ['localhost', 'LOCALHOST', 'localhost.', 'localhost.localdomain', 'ip6-localhost'];
    const found = await outcomes(await outbound('', { DNS_SERVERS: '' }), names);
    expect(found).toMatchObject({ localhost: 'refused_address', LOCALHOST: 'refused_address' });
    for (const outcome of Object.values(found)) expect(['refused_address', 'dns']).toContain(outcome);
    expect(receiver.connections).toBe(0);
  });

  it('are the checked ones, no matter what the name server answers the second time', async () => {
    const client = await outbound('127.0.0.2', {});
    const reached: string[] = [];
    const two = await startHostileReceiver((socket) => {
      reached.push(socket.localAddress ?? '');
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok');
    }, '0.0.0.0');
    try {
      const url = `http://rebound.test:${two.port}/`;
      expect((await client.post(url)).status).toBe(200);
      expect(dns.asked('rebound.test')).toBe(1);
      expect((await client.failureOf(url)).errorClass).toBe('refused_address');
      expect(dns.asked('rebound.test')).toBe(2);
      const other = `http://later.test:${two.port}/`;
      expect((await client.failureOf(other)).errorClass).toBe('refused_address');
      expect((await client.post(other)).status).toBe(200);
      expect(reached).toEqual(['127.0.0.2', '127.0.0.2']);
    } finally {
      await two.close();
    }
  });

  it('fail with a description of a name service error within the deadline', async () => {
    const client = await outbound();
    const found = await outcomes(client, ['empty.test', 'servfail.test', 'unknown.test']);
    expect(found).toEqual({ 'empty.test': 'dns', 'servfail.test': 'dns', 'unknown.test': 'dns' });
    const failure = await client.failureOf(urlOf('silent.test'), { timeoutMs: 200 });
    expect(failure).toMatchObject({ errorClass: 'timeout', partial: { status: 0, firstByteMs: -1 } });
    expect(failure.partial.durationMs).toBeLessThan(2_500); // the name service alone would take longer
  });

  it.each([
    [
      'hook.test',
      'hook.test HOOK.test hook.test.',
      'other.test sub.hook.test alias.hook.test 127.0.0.1 [::1]',
    ],
    [
      '127.0.0.1',
      `127.0.0.1 2130706433 hook.test other.test${hasV6 ? ' [::ffff:127.0.0.1]' : ''}`,
      `127.0.0.2 127.0.0.0 0.0.0.0 [::1] nearby.test mixed-families.test 10.0.0.1
        [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [::ffff:127.0.0.2]`,
    ],
    [
      '127.0.0.8/30',
      '127.0.0.8 127.0.0.9 127.0.0.10 127.0.0.11 nearby.test',
      '127.0.0.7 127.0.0.12 127.0.0.1 hook.test [::1]',
    ],
    [
      '::1/128,::/127',
      hasV6 ? '[::1] loop6.test' : '',
      '127.0.0.1 loop.test [::ffff:127.0.0.1] [::2] mapped.test 0.0.0.0',
    ],
  ])('include those of the allow list %s, and no others', async (allowed, open, closed) => {
    const client = await outbound(allowed);
    const [reached, refused] = [open, closed].map((hosts) => hosts.split(/\s+/).filter(Boolean));
    expect(await outcomes(client, reached!)).toEqual(all(reached!, 'ok'));
    const before = receiver.connections;
    expect(await outcomes(client, refused!)).toEqual(all(refused!, 'refused_address'));
    expect(receiver.connections).toBe(before);
  });
});
