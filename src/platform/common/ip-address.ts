import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A parsed address. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses an address and drops its zone. Throws if it is not one. */
export function parseAddress(text: string): IpAddress {
  // The library also accepts octal and short forms, which other programs read differently.
  if (isIP(text) === 0) throw new Error('Not an IP address.');
  return ipaddr.parse(text.replace(/%.*/, ''));
}

/** An IPv4 address from its four bytes. */
export function ipv4(bytes: readonly number[]): IpAddress {
  return new ipaddr.IPv4([...bytes]);
}

/** The IPv4 address of a mapped address (::ffff:0:0/96); otherwise, the address itself. */
export function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** A network in CIDR form, or a single address. */
export class Network {
  private readonly base: IpAddress;
  private readonly bits: number;

  constructor(text: string) {
    const [address, prefix] = text.split('/') as [string, string?];
    this.base = parseAddress(address);
    this.bits = prefix === undefined ? this.base.toByteArray().length * 8 : Number(prefix);
  }

  has(address: IpAddress): boolean {
    return address.kind() === this.base.kind() && address.match([this.base, this.bits]);
  }
}

/** An address with a port, as some proxies pass it on. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+)):\d+$/;

/** The address of a client, as the connection or a proxy names it; undefined if that is not an address. */
export function givenAddress(given: string): IpAddress | undefined {
  const parts = WITH_PORT.exec(given);
  const text = parts?.[1] ?? parts?.[2] ?? given;
  return isIP(text) === 0 ? undefined : unmapped(parseAddress(text));
}

/** What usually identifies one client: an IPv4 address, or the /64 of an IPv6 address; else one shared value. */
export function clientBlock(given: string): string {
  const address = givenAddress(given);
  if (!address) return 'unknown';
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16));
  return groups.join(':');
}
