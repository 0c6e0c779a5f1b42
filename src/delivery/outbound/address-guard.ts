import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { OutboundSettings } from './outbound.settings.js';
import { type IpAddress, ipv4, Network, parseAddress } from './ip-address.js';

/** Not reachable from the whole internet, by the special-purpose registries of IANA (RFC 6890 and its updates). */
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

/** What is used for the internet at all; all the rest of IPv6 is internal or reserved. */
const GLOBAL_V6 = new Network('2000::/3');
const INTERNAL_V6 = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  '2620:4f:8000::/48',
].map((text) => new Network(text));

const MAPPED = new Network('::ffff:0:0/96');

/** Forms that carry an IPv4 address: the network, and where in it that address begins. */
const CARRIERS: readonly (readonly [Network, number])[] = [
  [new Network('::ffff:0:0:0/96'), 12], // translated (SIIT)
  [new Network('::/96'), 12], // compatible
  [new Network('64:ff9b::/96'), 12], // NAT64
  [new Network('2002::/16'), 2], // 6to4
];

/**
 * Which addresses the server may call (docs/contract/outgoing-webhooks.md#calls): public ones, and those that
 * ALLOWED_INTERNAL_HOSTS names, by the host name in the URL or by the address that is dialled.
 */
@Injectable()
export class AddressGuard {
  private readonly names: ReadonlySet<string>;
  private readonly networks: readonly Network[];

  constructor(settings: OutboundSettings) {
    const isAddress = (host: string): boolean => isIP(host.split('/')[0] ?? '') !== 0;
    this.names = new Set(settings.allowedInternalHosts.filter((host) => !isAddress(host)));
    this.networks = settings.allowedInternalHosts.filter(isAddress).map((text) => new Network(text));
  }

  /** Whether an address that `hostname` stands for may be dialled. */
  allows(hostname: string, address: string): boolean {
    if (this.names.has(hostname.toLowerCase().replace(/\.$/, ''))) return true;
    const dialled = dialledAddress(address);
    if (this.networks.some((network) => network.has(dialled))) return true;
    const reached = unwrap(dialled);
    return !isInternal(reached) && !isOwn(reached);
  }
}

/** A mapped address is dialled as the IPv4 address that it stands for. */
function dialledAddress(text: string): IpAddress {
  const address = parseAddress(text);
  return MAPPED.has(address) ? ipv4(address.toByteArray().slice(12)) : address;
}

/** The IPv4 address that a gateway would take out, where there is one. */
function unwrap(address: IpAddress): IpAddress {
  const carrier = CARRIERS.find(([network]) => network.has(address));
  return carrier ? ipv4(address.toByteArray().slice(carrier[1], carrier[1] + 4)) : address;
}

function isInternal(address: IpAddress): boolean {
  if (address.kind() === 'ipv4') return INTERNAL.some((network) => network.has(address));
  return !GLOBAL_V6.has(address) || INTERNAL_V6.some((network) => network.has(address));
}

/** A public address of this machine leads to services that trust it. */
function isOwn(address: IpAddress): boolean {
  const own = Object.values(networkInterfaces()).flat();
  return own.some(
    (face) => face !== undefined && dialledAddress(face.address).toString() === address.toString(),
  );
}
