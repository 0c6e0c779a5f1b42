import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type IpAddress, Network, parseAddress, unmapped } from '../../platform/common/ip-address.js';
import { portOf } from './callable-url.js';

/** Addresses that reach the machine itself, besides those of its interfaces. */
const LOCAL = ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128'].map((text) => new Network(text));

/**
 * Where this server itself is reached: at its ports, on any address of the machine or under a name of its own, and at its
 * public address, which may be that of a proxy in front of it.
 */
@Injectable()
export class OwnAddress {
  private readonly ports = new Set<number>();
  private site: { readonly host: string; readonly port: number } | undefined;

  /** The server listens on this port now. */
  add(port: number): void {
    this.ports.add(port);
  }

  /** Others reach the server by this URL. */
  setSite({ hostname, protocol, port }: URL): void {
    this.site = { host: hostname.replace(/^\[|\]$|\.$/g, ''), port: portOf(protocol, port) };
  }

  /** Whether a call of this host (lower case) at this address and port would reach the server itself. */
  isReachedBy(hostname: string, address: IpAddress, port: number): boolean {
    const isSite = [hostname, address.toString()].some((host) => host === this.site?.host);
    if (isSite && port === this.site?.port) return true;
    return this.ports.has(port) && (isSite || isOfThisMachine(address));
  }
}

/** Whether an address leads to this machine. Asked each time, because interfaces come and go. */
export function isOfThisMachine(address: IpAddress): boolean {
  if (LOCAL.some((network) => network.has(address))) return true;
  const own = Object.values(networkInterfaces()).flat();
  return own.some(
    (info) => info !== undefined && unmapped(parseAddress(info.address)).toString() === address.toString(),
  );
}
