import { isIP } from 'node:net';
import {
  type AboutSettings,
  type Env,
  readBoolean,
  readDuration,
  readList,
  readUrl,
  SettingError,
} from '../../platform/config/parse.js';
import { AllowedHost } from './callable-url.js';

const MINUTE_MS = 60_000;

/** Settings for calls to other servers. Throws SettingError, naming the variable. */
export class OutboundSettings {
  static readonly about: AboutSettings = {
    'Outgoing calls': {
      OUTGOING_TIMEOUT:
        'Timeout of a whole call: DNS, connection, TLS, headers and body; at most 15 s for pings and confirmations between servers',
      ALLOWED_INTERNAL_HOSTS:
        "Internal host names, addresses and networks that may be called, each with its port: `build.internal:9000`, `10.0.0.0/8:443`, `[::1]:9000`. Without a port, all ports are allowed, including services that trust this machine. The server's own port is never called",
      DNS_SERVERS: 'Name servers for outgoing calls, after the hosts file; by default those of the system',
      OUTGOING_PROXY:
        'HTTP proxy for all calls to other servers, `http://user:password@host:port`. It must allow CONNECT to their ports. This server still resolves and checks names, and the proxy gets the address',
      OUTGOING_PROXY_RESOLVES:
        'Leave resolving and checking names to the proxy, which then decides which hosts are called',
    },
  };

  readonly outgoingTimeoutMs: number;
  readonly allowedInternalHosts: readonly AllowedHost[];
  readonly dnsServers: readonly string[];
  readonly outgoingProxy: URL | undefined;
  readonly outgoingProxyResolves: boolean;

  constructor(env: Env) {
    this.outgoingTimeoutMs = readDuration(env, 'OUTGOING_TIMEOUT', '30s', 100, 10 * MINUTE_MS);
    this.allowedInternalHosts = readHosts(env, 'ALLOWED_INTERNAL_HOSTS');
    this.dnsServers = readDnsServers(env);
    this.outgoingProxy = readProxy(env);
    this.outgoingProxyResolves = readBoolean(env, 'OUTGOING_PROXY_RESOLVES', false);
  }
}

function readHosts(env: Env, name: string): readonly AllowedHost[] {
  return readList(env, name).map((text) => {
    const host = AllowedHost.parse(text);
    if (host) return host;
    throw new SettingError(
      `${name} must list host names, addresses or networks such as 10.0.0.0/8, each with or without a port, such as build.internal:9000 or [::1]:9000, but has "${text}".`,
    );
  });
}

function readDnsServers(env: Env): readonly string[] {
  const servers = readList(env, 'DNS_SERVERS');
  for (const server of servers) {
    const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?)$/.exec(server) ?? [];
    if (isIP(server) === 0 && isIP(v6 ?? v4 ?? '') === 0) {
      throw new SettingError(
        `DNS_SERVERS must list addresses, with or without a port, such as 10.0.0.2:53, but has "${server}".`,
      );
    }
  }
  return servers;
}

/** The message never repeats the URL, which may contain a password. */
function readProxy(env: Env): URL | undefined {
  const text = readUrl(env, 'OUTGOING_PROXY', undefined, ['http://']);
  if (text === undefined) return undefined;
  const url = new URL(text);
  const { username, password, pathname, search, hash } = url;
  if (pathname === '/' && search === '' && hash === '' && [username, password].every(isDecodable)) return url;
  throw new SettingError(
    'OUTGOING_PROXY must be a URL such as http://user:password@proxy.internal:3128, without a path. Special characters of the user and the password must be percent-encoded.',
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
