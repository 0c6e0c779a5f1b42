import { OutboundSettings } from './outbound.settings.js';
import { AddressGuard } from './address-guard.js';
import { OwnAddress } from './own-address.js';

const blocksIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/*
 * All non-public addresses: IANA's special-purpose registries (RFC 6890, RFC 8190), as of October 2024 plus
 * RFC 9780, and the multicast and IPv6 address space registries. Listed independently of the guard's shorter
 * list. Blocks that the registries call globally reachable are refused too: they contain no receivers.
 *
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 * https://www.iana.org/assignments/ipv4-address-space
 * https://www.iana.org/assignments/ipv6-address-space
 */
const SPECIAL_V4 = blocksIn(`
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24
  198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32
`);

const SPECIAL_V6 = blocksIn(`
  ::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128 2001:1::2/128
  2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
  2001:db8::/32 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
`);

/** The only part of the IPv6 address space that is assigned to networks. */
const UNICAST_V6 = '2000::/3';

/** IPv6 networks that embed an IPv4 address, and its position. */
const FORMS = [
  ['::ffff:0:0/96', 96, 'IPv4-mapped, RFC 4291'],
  ['::/96', 96, 'IPv4-compatible, RFC 4291'],
  ['::ffff:0:0:0/96', 96, 'IPv4-translated, RFC 2765'],
  ['64:ff9b::/96', 96, 'NAT64, RFC 6052'],
  ['2002::/16', 16, '6to4, RFC 3056'],
] as const;

interface Block {
  readonly first: bigint;
  readonly last: bigint;
}

const guard = new AddressGuard(new OutboundSettings({ ALLOWED_INTERNAL_HOSTS: '' }), new OwnAddress());
const isAllowed = (address: string): boolean => guard.allows('hook.example', address, 80);

function parseV4(text: string): bigint {
  return text.split('.').reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}

function parseV6(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const groupsOf = (part: string): string[] => part.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groupsOf(head).length - groupsOf(tail).length;
  const groups = [...groupsOf(head), ...Array.from({ length: zeros }, () => '0'), ...groupsOf(tail ?? '')];
  return groups.reduce((value, group) => value * 0x10000n + BigInt(`0x${group}`), 0n);
}

function block(cidr: string, parse: (text: string) => bigint, bits: number): Block {
  const [address = '', prefix] = cidr.split('/');
  const first = parse(address);
  return { first, last: first + 2n ** BigInt(bits - Number(prefix)) - 1n };
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function formatV6(value: bigint): string {
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => (value >> shift) & 0xffffn);
  return groups.map((group) => group.toString(16)).join(':');
}

/** The ends of a block and their outer neighbours. */
const edges = ({ first, last }: Block): bigint[] => [first - 1n, first, last, last + 1n];
const isIn = (value: bigint, { first, last }: Block): boolean => value >= first && value <= last;

const blocksV4 = SPECIAL_V4.map((cidr) => block(cidr, parseV4, 32));
const blocksV6 = SPECIAL_V6.map((cidr) => block(cidr, parseV6, 128));
const unicast = block(UNICAST_V6, parseV6, 128);
const isSpecialV4 = (value: bigint): boolean => blocksV4.some((one) => isIn(value, one));
const edgesV4 = (one: Block): bigint[] => edges(one).filter((value) => value >= 0n && value < 2n ** 32n);

describe('every special block, at and next to its ends', () => {
  it.each(SPECIAL_V4)('%s', (cidr) => {
    const own = block(cidr, parseV4, 32);
    expect([isAllowed(formatV4(own.first)), isAllowed(formatV4(own.last))]).toEqual([false, false]);
    for (const value of edgesV4(own))
      expect([formatV4(value), isAllowed(formatV4(value))]).toEqual([formatV4(value), !isSpecialV4(value)]);
  });

  it.each(SPECIAL_V6)('%s', (cidr) => {
    const own = block(cidr, parseV6, 128);
    expect([isAllowed(formatV6(own.first)), isAllowed(formatV6(own.last))]).toEqual([false, false]);
    for (const value of edges(own).filter((value) => value >= 0n && value < 2n ** 128n)) {
      const isPublic = isIn(value, unicast) && !blocksV6.some((one) => isIn(value, one));
      expect([formatV6(value), isAllowed(formatV6(value))]).toEqual([formatV6(value), isPublic]);
    }
  });

  it('refuses all unassigned IPv6 addresses', () => {
    const [before, first, last, after] = edges(unicast).map((value) => isAllowed(formatV6(value)));
    expect([before, first, last, after]).toEqual([false, true, true, false]);
    expect(isAllowed(formatV6(2n ** 128n - 1n))).toBe(false);
  });
});

describe('an IPv6 address that embeds an IPv4 address', () => {
  it.each(FORMS)('is allowed or refused by its embedded address: %s (%i, %s)', (cidr, offset) => {
    const { first } = block(cidr, parseV6, 128);
    const shift = BigInt(96 - offset);
    for (const value of blocksV4.flatMap(edgesV4)) {
      // The bits after the embedded address do not matter.
      for (const rest of shift === 0n ? [0n] : [0n, 1n, 2n ** shift - 1n]) {
        const wrapped = formatV6(first + (value << shift) + rest);
        expect([wrapped, isAllowed(wrapped)]).toEqual([wrapped, !isSpecialV4(value)]);
      }
    }
  });

  it('is allowed or refused by its embedded address up to the ends of its block', () => {
    const neighbours =
      '::fffe:ffff:ffff ::1:0:0:0 ::fffe:ffff:ffff:ffff ::ffff:1:0:0 64:ff9a::808:808 64:ff9b::1:808:808';
    for (const address of blocksIn(neighbours))
      expect([address, isAllowed(address)]).toEqual([address, false]);
    for (const address of ['2001:ffff:7f00:1::', '2003:7f00:1::'])
      expect([address, isAllowed(address)]).toEqual([address, true]);
  });

  it('is refused if the embedded address is obfuscated (Teredo)', () => {
    // Server 65.54.227.120, client 192.0.2.45; then the same with public addresses.
    for (const address of ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:808:808:8000:63bf:f7f7:f7f7'])
      expect(isAllowed(address)).toBe(false);
  });
});
