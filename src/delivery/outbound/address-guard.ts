import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { OutboundSettings } from './outbound.settings.js';
import { type IpAddress, ipv4, Network, parseAddress } from '../../platform/common/ip-address.js';

/** IANA's special-purpose registries (RFC 6890 and its updates), reachable blocks included, and multicast. */
const INTERNAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((text) => new Network(text));

/** Global unicast; the rest of IPv6 is internal or reserved. */
const GLOBAL_V6 = new Network('2000::/3');
const INTERNAL_V6 = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32',
  '3fff::/20',
  '2620:4f:8000::/48',
].map((text) => new Network(text));

const MAPPED = new Network('::ffff:0:0/96');

/** IPv6 networks whose addresses embed an IPv4 address, with its byte offset. */
const EMBEDDINGS: readonly (readonly [Network, number])[] = [
  [new Network('::ffff:0:0:0/96'), 12], // translated (SIIT)
  [new Network('::/96'), 12], // compatible
  [new Network('64:ff9b::/96'), 12], // NAT64
  [new Network('2002::/16'), 2], // 6to4
];

/**
 * Decides which addresses the server may call (docs/contract/outgoing-webhooks.md#calls): public ones, and those that
 * ALLOWED_INTERNAL_HOSTS lists by host name or by address.
 */
@Injectable()
export class AddressGuard {
  private readonly names: ReadonlySet<string>;
  private readonly networks: readonly Network[];

  constructor(settings: OutboundSettings) {
    const isAddress = (host: string): boolean => isIP(host.replace(/\/.*/, '')) !== 0;
    this.names = new Set(settings.allowedInternalHosts.filter((host) => !isAddress(host)));
    this.networks = settings.allowedInternalHosts.filter(isAddress).map((text) => new Network(text));
  }

  /** Whether the server may connect to `address` when it calls `hostname`. */
  allows(hostname: string, address: string): boolean {
    if (this.names.has(hostname.toLowerCase().replace(/\.$/, ''))) return true;
    const target = unmapped(address);
    if (this.networks.some((network) => network.has(target))) return true;
    const reached = embeddedAddress(target);
    return !isInternal(reached) && !isOwn(reached);
  }
}

/** The operating system connects to an IPv4-mapped address over IPv4. */
function unmapped(text: string): IpAddress {
  const address = parseAddress(text);
  return MAPPED.has(address) ? ipv4(address.toByteArray().slice(12)) : address;
}

/** The embedded IPv4 address that a gateway would connect to; else the address itself. */
function embeddedAddress(address: IpAddress): IpAddress {
  const embedding = EMBEDDINGS.find(([network]) => network.has(address));
  return embedding ? ipv4(address.toByteArray().slice(embedding[1], embedding[1] + 4)) : address;
}

function isInternal(address: IpAddress): boolean {
  if (address.kind() === 'ipv4') return INTERNAL.some((network) => network.has(address));
  return !GLOBAL_V6.has(address) || INTERNAL_V6.some((network) => network.has(address));
}

/** Services of this machine may trust connections from its own public address. */
function isOwn(address: IpAddress): boolean {
  const own = Object.values(networkInterfaces()).flat();
  return own.some((info) => info !== undefined && unmapped(info.address).toString() === address.toString());
}
