import { isIPv6, type Socket } from 'node:net';
import { Pool } from 'undici';
import { failureOf, OutboundFailure } from './outbound-failure.js';

/** Wrong credentials; tinyproxy returns 401. */
const UNAUTHENTICATED: readonly number[] = [401, 407];

/** The proxy itself cannot be used, so other addresses of the host would fail as well. */
export class UnusableProxy extends OutboundFailure {}

/**
 * Opens connections through the HTTP proxy of OUTGOING_PROXY, with CONNECT. Unlike undici's ProxyAgent, it can name the
 * address that the guard has checked, while TLS and `Host` still use the name.
 */
export class ProxyTunnel {
  private readonly proxy: Pool;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    { origin, username, password }: URL,
    /** Whether the proxy resolves names, and decides which ones may be called. */
    readonly doesResolve: boolean,
  ) {
    this.proxy = new Pool(origin);
    const credentials = [username, password].map(decodeURIComponent).join(':');
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    this.headers = username === '' ? {} : { 'proxy-authorization': authorization };
  }

  /** Throws OutboundFailure, with a message that names OUTGOING_PROXY. */
  async open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const path = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    const { socket, statusCode } = await this.proxy
      .connect({ path, headers: { ...this.headers, host: path }, signal })
      .catch((error: unknown) => {
        throw signal.aborted ? timedOut() : unreachable(error);
      });
    if (statusCode === 200) return socket as Socket;
    socket.on('error', () => undefined).destroy();
    const Failure = UNAUTHENTICATED.includes(statusCode) ? UnusableProxy : OutboundFailure;
    throw new Failure('connect', `The proxy (OUTGOING_PROXY) refused the connection: HTTP ${statusCode}.`);
  }

  close(): Promise<void> {
    return this.proxy.destroy();
  }
}

function timedOut(): OutboundFailure {
  return new OutboundFailure('timeout', 'The proxy (OUTGOING_PROXY) did not open the connection in time.');
}

function unreachable(error: unknown): OutboundFailure {
  const { message, errorClass } = failureOf(error);
  const Failure = errorClass === 'reset' ? OutboundFailure : UnusableProxy; // some proxies refuse hosts by closing
  return new Failure('connect', `The proxy (OUTGOING_PROXY) cannot be used. ${message}`);
}
