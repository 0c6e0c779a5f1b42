import { isIP } from 'node:net';
import { isPrefix } from '../../platform/config/parse.js';
import { type IpAddress, Network } from '../../platform/common/ip-address.js';

const HOST_NAME = /^(?=.{1,253}\.?$)[a-z\d_]([a-z\d_-]{0,62})(\.[a-z\d_][a-z\d_-]{0,62})*\.?$/i;
const BRACKETED = /^\[([^[\]/]+)(\/\d+)?\](\/\d+)?(?::(\d{1,5}))?$/;
const NAME_WITH_PORT = /^([^:[\]]+):(\d{1,5})$/;
const MAX_PORT = 65_535;

/** An internal host that may be called: a name, an address or a network, on one port or on all. */
export class AllowedHost {
  private readonly network: Network | undefined;

  private constructor(
    private readonly host: string,
    private readonly port: number | undefined,
  ) {
    this.network = isIP(host.replace(/\/.*/, '')) === 0 ? undefined : new Network(host);
  }

  /** From `name`, `10.0.0.1`, `10.0.0.0/8`, `::1` or `[fd00::]/8`, each with or without `:port`; else undefined. */
  static parse(text: string): AllowedHost | undefined {
    const [, v6, inner = '', outer = '', v6Port] = BRACKETED.exec(text) ?? [];
    const [, name, namePort] = NAME_WITH_PORT.exec(text) ?? [];
    if (inner !== '' && outer !== '') return undefined;
    const host = v6 === undefined ? (name ?? text) : `${v6}${inner}${outer}`;
    if (!isHost(host) || (v6 !== undefined && isIP(v6) !== 6)) return undefined;
    const port = v6Port ?? namePort;
    if (port !== undefined && !(Number(port) >= 1 && Number(port) <= MAX_PORT)) return undefined;
    return new AllowedHost(
      host.toLowerCase().replace(/\.$/, ''),
      port === undefined ? undefined : Number(port),
    );
  }

  /** Whether it opens a port of a host that was asked for by this name (lower case) and has this address. */
  opens(hostname: string, address: IpAddress, port: number): boolean {
    if (this.port !== undefined && this.port !== port) return false;
    return this.network ? this.network.has(address) : this.host === hostname;
  }

  toString(): string {
    if (this.port === undefined) return this.host;
    const [address = '', prefix] = this.host.split('/');
    const host = address.includes(':')
      ? `[${address}]${prefix === undefined ? '' : `/${prefix}`}`
      : this.host;
    return `${host}:${this.port}`;
  }
}

function isHost(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  if (more.length > 0) return false;
  const family = isIP(address);
  if (family !== 0) return prefix === undefined || isPrefix(prefix, family === 4 ? 32 : 128);
  return prefix === undefined && HOST_NAME.test(address) && !/^[\d.]+$/.test(address);
}
