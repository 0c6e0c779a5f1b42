import { lookup as systemLookup, promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { buildConnector } from 'undici';
import { Settings } from '../config/settings.js';
import { AddressGuard } from './address-guard.js';
import { OutboundFailure } from './outbound-failure.js';

const DNS_TIMEOUT_MS = 3_000;
const MAX_ADDRESSES = 20;

interface Address {
  readonly address: string;
  readonly family: number;
}

/**
 * Opens connections for the outbound client, and vets the address of every single one: all answers of the name service
 * have to be allowed, exactly the vetted ones are dialled, and the peer of the open socket is looked at again.
 */
@Injectable()
export class GuardedConnector {
  private readonly resolver: dns.Resolver | undefined;
  private readonly lookups = new Map<string, Promise<readonly Address[]>>();
  private open = 0;

  constructor(
    private readonly guard: AddressGuard,
    settings: Settings,
  ) {
    if (settings.dnsServers.length === 0) return;
    this.resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
    this.resolver.setServers([...settings.dnsServers]);
  }

  /** How many connections there are. */
  get openCount(): number {
    return this.open;
  }

  build(connectTimeoutMs: number): buildConnector.connector {
    const lookup: LookupFunction = (hostname, options, callback) => {
      this.resolve(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all === true) callback(null, [...addresses]);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
      );
    };
    const connect = buildConnector({ timeout: connectTimeoutMs, lookup });
    return (options, callback) => {
      const hostname = options.hostname.replace(/^\[|\]$/g, '');
      // A lookup is made for names only.
      if (isIP(hostname) !== 0 && !this.guard.allows(hostname, hostname)) return callback(refused(), null);
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error !== null) return callback(error, null);
        if (!this.guard.allows(hostname, socket.remoteAddress ?? '::')) {
          socket.destroy();
          return callback(refused(), null);
        }
        this.open += 1;
        socket.once('close', () => (this.open -= 1));
        callback(null, socket);
      });
    };
  }

  /** The addresses of a name, if all of them may be dialled. Connections that open at the same time share a question. */
  private resolve(hostname: string): Promise<readonly Address[]> {
    const asked = this.lookups.get(hostname);
    if (asked) return asked;
    const lookup = this.vetted(hostname).finally(() => this.lookups.delete(hostname));
    this.lookups.set(hostname, lookup);
    return lookup;
  }

  private async vetted(hostname: string): Promise<readonly Address[]> {
    const addresses = await this.ask(hostname);
    if (addresses.length === 0) throw new OutboundFailure('dns', 'The host name has no address.');
    if (!addresses.every(({ address }) => this.guard.allows(hostname, address))) throw refused();
    return addresses.slice(0, MAX_ADDRESSES);
  }

  private async ask(hostname: string): Promise<readonly Address[]> {
    const { resolver } = this;
    if (!resolver) return askSystem(hostname);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw unresolved(v4.reason);
    return [
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
    ];
  }
}

function askSystem(hostname: string): Promise<readonly Address[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error) reject(unresolved(error));
      else resolve(addresses);
    });
  });
}

function unresolved(error: unknown): OutboundFailure {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
  return new OutboundFailure('dns', `The host name cannot be resolved (${code}).`);
}

function refused(): OutboundFailure {
  return new OutboundFailure(
    'refused_address',
    'The host is, or resolves to, an internal address that ALLOWED_INTERNAL_HOSTS does not name.',
  );
}
