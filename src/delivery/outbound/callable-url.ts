import { isIP } from 'node:net';
import { OutboundFailure } from './outbound-failure.js';
import { isPrefix } from '../../platform/config/parse.js';
import { type IpAddress, Network } from '../../platform/common/ip-address.js';
import { runeLength } from '../../platform/common/utf8.js';

const MAX_LENGTH = 2_048;
/** Longer than any DNS name. Converting a name to ASCII takes time quadratic in its length. */
const TOO_LONG_HOST = /^https?:\/\/[^/?#\\]{320}/;

/** Throws OutboundFailure `bad_url`, with a message that explains the problem without quoting the URL. */
export function requireCallableUrl(text: string): URL {
  if (runeLength(text) > MAX_LENGTH) throw bad(`The URL is longer than ${MAX_LENGTH} characters.`);
  if (!/^https?:\/\/[^/?#\\\s]/.test(text))
    throw bad('The URL must begin with http:// or https:// and name a host.');
  if (TOO_LONG_HOST.test(text)) throw bad('The host of the URL is too long.');
  // eslint-disable-next-line no-control-regex -- URL parsers silently strip these characters
  if (/[\u0000-\u0020\u007f]/.test(text))
    throw bad('The URL must not contain white space or control characters.');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw bad('The URL is not valid.');
  }
  // Checked on the text because the parser drops empty credentials.
  if (/^https?:\/\/[^/?#\\]*@/.test(text)) throw bad('The URL must not contain a user name or password.');
  if (/^\.|\.\./.test(url.hostname)) throw bad('The URL must name a host.');
  return url;
}

/** The port of a URL. `port` is empty for the default port of the protocol. */
export function portOf(protocol: string, port: string): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function bad(sentence: string): OutboundFailure {
  return new OutboundFailure('bad_url', sentence);
}

const HOST_NAME = /^(?=.{1,253}\.?$)[a-z\d_]([a-z\d_-]{0,62})(\.[a-z\d_][a-z\d_-]{0,62})*\.?$/i;
const BRACKETED = /^\[([^[\]/]+)(\/\d+)?\](\/\d+)?(?::(\d{1,5}))?$/;
const NAME_WITH_PORT = /^([^:[\]]+):(\d{1,5})$/;
const MAX_PORT = 65_535;

/** An internal host that may be called: a name, address or network, on one port or all. */
export class AllowedHost {
  private readonly network: Network | undefined;

  private constructor(
    private readonly host: string,
    private readonly port: number | undefined,
  ) {
    this.network = isIP(host.replace(/\/.*/, '')) === 0 ? undefined : new Network(host);
  }

  /** Parses `name`, `10.0.0.1`, `10.0.0.0/8`, `::1` or `[fd00::]/8`, each with an optional `:port`. */
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

  /** Whether calls to `hostname` (lower case), resolved to `address`, are allowed on `port`. */
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
