import { isIP } from 'node:net';
import { type Env, isPrefix, readDuration, readList, SettingError } from '../../platform/config/parse.js';

const MINUTE_MS = 60_000;
const HOST_NAME = /^(?=.{1,253}\.?$)[a-z\d_]([a-z\d_-]{0,62})(\.[a-z\d_][a-z\d_-]{0,62})*\.?$/i;

/** How other servers are called, and which ones may be. Throws SettingError, naming the variable. */
export class OutboundSettings {
  /** The deadline for a whole call. */
  readonly outgoingTimeoutMs: number;
  /** Internal host names, addresses and networks that may be called. */
  readonly allowedInternalHosts: readonly string[];
  /** Name servers to query; the system's if empty. */
  readonly dnsServers: readonly string[];

  constructor(env: Env) {
    this.outgoingTimeoutMs = readDuration(env, 'OUTGOING_TIMEOUT', '30s', 100, 10 * MINUTE_MS);
    this.allowedInternalHosts = readHosts(env, 'ALLOWED_INTERNAL_HOSTS');
    this.dnsServers = readDnsServers(env);
  }
}

/** Names, addresses and networks, lower case. */
function readHosts(env: Env, name: string): readonly string[] {
  return readList(env, name).map((host) => {
    const [address = '', prefix] = host.replace(/[[\]]/g, '').split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    const isNetwork = isIP(address) !== 0 && (prefix === undefined || isPrefix(prefix, bits));
    if (!isNetwork && !(prefix === undefined && HOST_NAME.test(address) && !/^[\d.]+$/.test(address))) {
      throw new SettingError(
        `${name} must list host names, addresses or networks such as 10.0.0.0/8, but has "${host}".`,
      );
    }
    return (prefix === undefined ? address : `${address}/${prefix}`).toLowerCase().replace(/\.$/, '');
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
