import { hostname as machineName, networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type IpAddress, Network, parseAddress, unmapped } from '../../platform/common/ip-address.js';
import { portOf } from './callable-url.js';

/** Addresses that reach the machine itself, in addition to those of its interfaces. */
const LOCAL = ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128'].map((text) => new Network(text));

export interface ListeningPlace {
  readonly machine: string;
  /** Addresses at which other machines may reach it. */
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/** Where this server and the other processes of its database can be reached, including their public address. */
@Injectable()
export class OwnAddress {
  private readonly ports = new Set<number>();
  private site: { readonly host: string; readonly port: number } | undefined;
  others: () => Iterable<ListeningPlace> = () => [];

  add(port: number): void {
    this.ports.add(port);
  }

  setSite({ hostname, protocol, port }: URL): void {
    this.site = { host: hostname.replace(/^\[|\]$|\.$/g, ''), port: portOf(protocol, port) };
  }

  get place(): ListeningPlace {
    const addresses = interfaceAddresses().filter((address) => !isLocal(address));
    return { machine: machineName(), addresses: addresses.map(String), ports: [...this.ports] };
  }

  /** Whether a call to this host (lower case) at this address and port would reach the server itself. */
  isReachedBy(hostname: string, address: IpAddress, port: number): boolean {
    const isSite = [hostname, address.toString()].some((host) => host === this.site?.host);
    if (isSite && port === this.site?.port) return true;
    if (this.ports.has(port) && (isSite || isOfThisMachine(address))) return true;
    for (const { machine, addresses, ports } of this.others()) {
      if (!ports.includes(port)) continue;
      // An address that this machine also has, such as that of a bridge, leads to this machine.
      const isTheirs = isOfThisMachine(address)
        ? machine === machineName()
        : addresses.includes(address.toString());
      if (isSite || isTheirs) return true;
    }
    return false;
  }
}

/** Whether an address leads to this machine. Not cached, because interfaces come and go. */
export function isOfThisMachine(address: IpAddress): boolean {
  return isLocal(address) || interfaceAddresses().some((own) => own.toString() === address.toString());
}

function isLocal(address: IpAddress): boolean {
  return LOCAL.some((network) => network.has(address));
}

function interfaceAddresses(): IpAddress[] {
  const all = Object.values(networkInterfaces()).flatMap((infos) => infos ?? []);
  return all.map((info) => unmapped(parseAddress(info.address)));
}
