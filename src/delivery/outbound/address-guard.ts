import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { type AllowedHost, portOf } from './callable-url.js';
import { OutboundSettings } from './outbound.settings.js';
import { type IpAddress, ipv4, Network, parseAddress, unmapped } from '../../platform/common/ip-address.js';
import { isOfThisMachine, OwnAddress } from './own-address.js';

/** IANA's special-purpose registries (RFC 6890 and updates), with their reachable blocks, and multicast. */
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
  '2001::/23', // protocol assignments, including Teredo
  '2001:db8::/32',
  '3fff::/20',
  '2620:4f:8000::/48',
].map((text) => new Network(text));

/** IPv6 networks whose addresses embed an IPv4 address, with its byte offset. */
const EMBEDDINGS: readonly (readonly [Network, number])[] = [
  [new Network('::ffff:0:0:0/96'), 12], // translated (SIIT)
  [new Network('::/96'), 12], // compatible
  [new Network('64:ff9b::/96'), 12], // NAT64
  [new Network('2002::/16'), 2], // 6to4
];

/** Allows public addresses and ALLOWED_INTERNAL_HOSTS, never this server (docs/contract/outgoing-webhooks.md#calls). */
@Injectable()
export class AddressGuard {
  constructor(
    private readonly settings: OutboundSettings,
    private readonly own: OwnAddress,
  ) {}

  isSelf(hostname: string, address: string, port: number): boolean {
    const target = unmapped(parseAddress(address));
    const name = plainName(hostname);
    return [target, embeddedAddress(target)].some((each) => this.own.isReachedBy(name, each, port));
  }

  /** Whether the server may connect to `address` and `port` when calling `hostname`. */
  allows(hostname: string, address: string, port: number): boolean {
    const name = plainName(hostname);
    const target = unmapped(parseAddress(address)); // the OS connects to mapped addresses over IPv4
    const reached = embeddedAddress(target);
    if (this.isSelf(hostname, address, port)) return false;
    if (this.settings.allowedInternalHosts.some((host) => host.opens(name, target, port))) return true;
    return !isInternal(reached) && !isOfThisMachine(reached); // services may trust their public address
  }
}

/** Of names; parsing one takes more than linear time. */
const MAX_HOST_LENGTH = 255;

/** Whether a URL names an internal address, or this machine, that is not allowed. Names are not resolved. */
export function isInternalUrl(text: string, allowed: readonly AllowedHost[]): boolean {
  const [authority = ''] = text.replace(/^[a-z]+:\/*/i, '').split(/[/?#]/, 1);
  if (authority.length > MAX_HOST_LENGTH || !URL.canParse(text)) return false;
  const url = new URL(text);
  const name = plainName(url.hostname.replace(/^\[|\]$/g, ''));
  const address = name === 'localhost' ? '127.0.0.1' : name;
  if (isIP(address) === 0) return false;
  const target = unmapped(parseAddress(address));
  const port = portOf(url.protocol, url.port);
  return isInternal(embeddedAddress(target)) && !allowed.some((host) => host.opens(name, target, port));
}

function plainName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

/** Returns the embedded IPv4 address that a gateway would connect to, or else the address itself. */
function embeddedAddress(address: IpAddress): IpAddress {
  const embedding = EMBEDDINGS.find(([network]) => network.has(address));
  return embedding ? ipv4(address.toByteArray().slice(embedding[1], embedding[1] + 4)) : address;
}

function isInternal(address: IpAddress): boolean {
  if (address.kind() === 'ipv4') return INTERNAL.some((network) => network.has(address));
  return !GLOBAL_V6.has(address) || INTERNAL_V6.some((network) => network.has(address));
}
