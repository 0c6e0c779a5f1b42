import { isIP, type LookupFunction, Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { buildConnector } from 'undici';
import { AddressGuard } from './address-guard.js';
import { portOf } from './callable-url.js';
import { noteTimes, timeConnection } from './connection-times.js';
import type { Address } from './local-names.js';
import { NameService } from './name-service.js';
import { OutboundFailure } from './outbound-failure.js';
import { type ProxyTunnel, UnusableProxy } from './proxy-tunnel.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';

const MAX_ADDRESSES = 20;
const MAX_CONNECTORS = 100;
/** How many addresses of a host are tried through a proxy, one after the other. */
const MAX_TUNNEL_ADDRESSES = 4;
/** Stands for the address of a name that only the proxy resolves; documentation uses it (RFC 5737). */
const UNRESOLVED = '192.0.2.1';

/** The host is internal or this server itself, and must not be called. */
export class RefusedAddress extends OutboundFailure {
  constructor(readonly isSelf: boolean) {
    super(
      'refused_address',
      isSelf
        ? 'The host is, or resolves to, this server itself, which it never calls.'
        : 'The host is, or resolves to, an internal address that ALLOWED_INTERNAL_HOSTS does not contain.',
    );
  }
}

/** Opens connections. All addresses of a name must be allowed; the address of the open socket is checked again. */
@Injectable()
export class GuardedConnector {
  private readonly lookups = new Map<string, Promise<readonly Address[]>>();
  private readonly opened: Counter;
  private open = 0;
  private tunnel: ProxyTunnel | undefined;

  constructor(
    private readonly guard: AddressGuard,
    private readonly names: NameService,
    { registry }: MetricsService,
  ) {
    this.opened = new Counter({
      name: 'hookline_outbound_connections_opened_total',
      help: 'New connections for calls to other servers.',
      registers: [registry],
    });
  }

  get openCount(): number {
    return this.open;
  }

  /** Returns why a call to a URL would be refused; undefined if allowed, or if its name does not resolve. */
  async refusalOf(url: URL): Promise<RefusedAddress | undefined> {
    const hostname = withoutBrackets(url.hostname);
    const port = portOf(url.protocol, url.port);
    try {
      if (isIP(hostname) === 0) await this.tunnelHosts(hostname, port);
      else if (!this.guard.allows(hostname, hostname, port)) return this.refused(hostname, [hostname], port);
      return undefined;
    } catch (error) {
      if (error instanceof RefusedAddress) return error;
      if (error instanceof OutboundFailure) return undefined;
      throw error;
    }
  }

  /** A connector for undici; with a tunnel, connections go through a proxy. */
  build(connectTimeoutMs: number, tunnel?: ProxyTunnel): buildConnector.connector {
    this.tunnel = tunnel;
    const connectors = new Map<number, buildConnector.connector>();
    /** One connector per port, because lookups are not told the port. They keep TLS sessions. */
    const connectorOf = (port: number): buildConnector.connector => {
      const known = connectors.get(port);
      if (known) return known;
      const connector = buildConnector({ timeout: connectTimeoutMs, lookup: this.lookupFor(port) });
      if (connectors.size >= MAX_CONNECTORS) connectors.clear();
      connectors.set(port, connector);
      return connector;
    };
    return (options, callback) => {
      const hostname = withoutBrackets(options.hostname);
      const port = portOf(options.protocol, options.port);
      // The lookup is only called for names.
      if (isIP(hostname) !== 0 && !this.guard.allows(hostname, hostname, port))
        return callback(this.refused(hostname, [hostname], port), null);
      if (tunnel) {
        this.connectThrough(tunnel, { ...options, hostname }, connectorOf(port), connectTimeoutMs).then(
          (socket) => callback(null, this.counted(socket)),
          (error: unknown) => callback(error as Error, null),
        );
        return;
      }
      const begun: unknown = connectorOf(port)(options, (...result) => {
        const [error, socket] = result;
        if (error !== null) return callback(error, null);
        const { remoteAddress } = socket; // undefined if the peer has already closed it
        if (remoteAddress === undefined || !this.guard.allows(hostname, remoteAddress, port)) {
          socket.destroy();
          const failure =
            remoteAddress === undefined ? closed() : this.refused(hostname, [remoteAddress], port);
          return callback(failure, null);
        }
        callback(null, this.counted(socket));
      });
      if (begun instanceof Socket) timeConnection(begun); // the type declarations omit the returned socket
    };
  }

  /** Connects to the addresses that the guard has checked. */
  private async connectThrough(
    tunnel: ProxyTunnel,
    options: buildConnector.Options,
    secure: buildConnector.connector,
    timeoutMs: number,
  ): Promise<Socket> {
    const beganAt = performance.now();
    const port = portOf(options.protocol, options.port);
    const hosts =
      isIP(options.hostname) === 0 ? await this.tunnelHosts(options.hostname, port) : [options.hostname];
    const resolvedAt = performance.now();
    const httpSocket = await firstOf(hosts, timeoutMs, (host, signal) => tunnel.open(host, port, signal));
    const openedAt = performance.now();
    const isSecure = options.protocol === 'https:';
    const socket = isSecure
      ? await new Promise<Socket>((resolve, reject) =>
          secure({ ...options, httpSocket }, (error, secured) => (error ? reject(error) : resolve(secured))),
        )
      : httpSocket;
    noteTimes(socket, {
      nameMs: hosts[0] === options.hostname ? -1 : resolvedAt - beganAt,
      connectMs: openedAt - resolvedAt,
      tlsMs: isSecure ? performance.now() - openedAt : -1,
    });
    return socket;
  }

  /** What the proxy is told to connect to: addresses, IPv4 first, or the name if the proxy resolves names. */
  private async tunnelHosts(hostname: string, port: number): Promise<readonly string[]> {
    if (this.tunnel?.doesResolve !== true) {
      const addresses = await this.allowedAddresses(hostname, port);
      return addresses.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
    }
    if (this.guard.isSelf(hostname, UNRESOLVED, port)) throw new RefusedAddress(true);
    if (await this.names.isLocal(hostname)) await this.allowedAddresses(hostname, port); // may be this server
    return [hostname];
  }

  private counted(socket: Socket): Socket {
    this.open += 1;
    this.opened.inc();
    socket.once('close', () => (this.open -= 1));
    return socket;
  }

  private lookupFor(port: number): LookupFunction {
    return (hostname, options, callback) => {
      this.allowedAddresses(hostname, port).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all === true) callback(null, [...addresses]);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
      );
    };
  }

  /** Returns the addresses of a name. Throws if any of them is not allowed. */
  private async allowedAddresses(hostname: string, port: number): Promise<readonly Address[]> {
    const addresses = await this.resolve(hostname);
    if (addresses.length === 0) throw new OutboundFailure('dns', 'The host name has no address.');
    const texts = addresses.map(({ address }) => address);
    if (!texts.every((address) => this.guard.allows(hostname, address, port)))
      throw this.refused(hostname, texts, port);
    return addresses.slice(0, MAX_ADDRESSES);
  }

  /** Concurrent connections share one query. */
  private resolve(hostname: string): Promise<readonly Address[]> {
    const pending = this.lookups.get(hostname);
    if (pending) return pending;
    const lookup = this.names.addresses(hostname).finally(() => this.lookups.delete(hostname));
    this.lookups.set(hostname, lookup);
    return lookup;
  }

  private refused(hostname: string, addresses: readonly string[], port: number): RefusedAddress {
    return new RefusedAddress(addresses.some((address) => this.guard.isSelf(hostname, address, port)));
  }
}

/** The first connection that succeeds; each host gets an equal part of the remaining time. Throws the last failure. */
async function firstOf(
  hosts: readonly string[],
  timeoutMs: number,
  open: (host: string, signal: AbortSignal) => Promise<Socket>,
): Promise<Socket> {
  const endsAt = performance.now() + timeoutMs;
  const tried = hosts.slice(0, MAX_TUNNEL_ADDRESSES);
  let failure: unknown;
  for (const [index, host] of tried.entries()) {
    const leftMs = Math.max(1, endsAt - performance.now());
    try {
      return await open(host, AbortSignal.timeout(Math.ceil(leftMs / (tried.length - index))));
    } catch (error) {
      failure = error;
      if (error instanceof UnusableProxy) break;
    }
  }
  throw failure;
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function closed(): OutboundFailure {
  return new OutboundFailure('reset', 'The connection was closed before the reply was complete.');
}
