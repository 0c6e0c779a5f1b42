import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { buildConnector } from 'undici';
import { AddressGuard } from './address-guard.js';
import { type Address, NameService } from './name-service.js';
import { OutboundFailure } from './outbound-failure.js';

const MAX_ADDRESSES = 20;

/**
 * Opens the connections of the outbound client and checks every address: all addresses of the name must be allowed, only
 * those are connected to, and the remote address of the open socket is checked again.
 */
@Injectable()
export class GuardedConnector {
  private readonly lookups = new Map<string, Promise<readonly Address[]>>();
  private open = 0;

  constructor(
    private readonly guard: AddressGuard,
    private readonly names: NameService,
  ) {}

  /** The number of open connections. */
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
      // `lookup` is called only for names.
      if (isIP(hostname) !== 0 && !this.guard.allows(hostname, hostname)) return callback(refused(), null);
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error !== null) return callback(error, null);
        const { remoteAddress } = socket; // undefined if the peer has already closed it
        if (remoteAddress === undefined || !this.guard.allows(hostname, remoteAddress)) {
          socket.destroy();
          return callback(remoteAddress === undefined ? closed() : refused(), null);
        }
        this.open += 1;
        socket.once('close', () => (this.open -= 1));
        callback(null, socket);
      });
    };
  }

  /** The addresses of a name. Throws if one of them is not allowed. Concurrent connections share one query. */
  private resolve(hostname: string): Promise<readonly Address[]> {
    const pending = this.lookups.get(hostname);
    if (pending) return pending;
    const lookup = this.allowedAddresses(hostname).finally(() => this.lookups.delete(hostname));
    this.lookups.set(hostname, lookup);
    return lookup;
  }

  private async allowedAddresses(hostname: string): Promise<readonly Address[]> {
    const addresses = await this.names.addresses(hostname);
    if (addresses.length === 0) throw new OutboundFailure('dns', 'The host name has no address.');
    if (!addresses.every(({ address }) => this.guard.allows(hostname, address))) throw refused();
    return addresses.slice(0, MAX_ADDRESSES);
  }
}

function refused(): OutboundFailure {
  return new OutboundFailure(
    'refused_address',
    'The host is, or resolves to, an internal address that ALLOWED_INTERNAL_HOSTS does not name.',
  );
}

function closed(): OutboundFailure {
  return new OutboundFailure('reset', 'The connection was closed before the reply was complete.');
}
