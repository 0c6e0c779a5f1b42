import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type IpAddress, Network, parseAddress, unmapped } from '../../platform/common/ip-address.js';

/** Addresses that reach the machine itself, besides those of its interfaces. */
const LOCAL = ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128'].map((text) => new Network(text));

/** Where this server itself listens: its ports, on any address of the machine or under a name of its own. */
@Injectable()
export class OwnAddress {
  private readonly ports = new Set<number>();
  private readonly names = new Set<string>();

  /** The server listens on this port now. `names` are hosts of its URL, which may lead to it from outside. */
  add(port: number, names: readonly string[] = []): void {
    this.ports.add(port);
    for (const name of names) this.names.add(name.toLowerCase().replace(/^\[|\]$|\.$/g, ''));
  }

  /** Whether a call of this host (lower case) at this address and port would reach the server itself. */
  isReachedBy(hostname: string, address: IpAddress, port: number): boolean {
    if (!this.ports.has(port)) return false;
    return this.names.has(hostname) || this.names.has(address.toString()) || isOfThisMachine(address);
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
