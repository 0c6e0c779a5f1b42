import { lookup as systemLookup, promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { OutboundSettings } from './outbound.settings.js';
import { OutboundFailure } from './outbound-failure.js';

const RESOLVER_OPTIONS = { timeout: 3_000, tries: 2 };
const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** After these errors the system may still know the name: by a search domain, mDNS or another source. */
const ASK_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']);

/** An address as `net` takes it: the family is 4 or 6. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

/**
 * Resolves host names. The system's lookup blocks one of few threads until the name server answers, so a dead server
 * would block all others. Therefore the name servers are queried directly, and the system only for names that it alone
 * knows.
 */
@Injectable()
export class NameService {
  private readonly servers: readonly string[];

  constructor(settings: OutboundSettings) {
    this.servers = settings.dnsServers;
  }

  /** The addresses of a host name; may be empty. Throws OutboundFailure. */
  async addresses(hostname: string): Promise<readonly Address[]> {
    if (this.servers.length === 0 && (await isOfSystem(hostname))) return askSystem(hostname);
    // A new one each time, so that it uses the system's current configuration.
    const resolver = new dns.Resolver(RESOLVER_OPTIONS);
    if (this.servers.length > 0) resolver.setServers([...this.servers]);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      const isForSystem = this.servers.length === 0 && ASK_SYSTEM.has(codeOf(v4.reason));
      if (isForSystem) return askSystem(hostname);
      throw unresolved(v4.reason);
    }
    return [
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
    ];
  }
}

/** Whether only the system can resolve a name: without a dot, special, or in the hosts file, which takes precedence. */
async function isOfSystem(hostname: string): Promise<boolean> {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (!name.includes('.') || /\.(?:local|localhost|internal|home\.arpa)$/.test(name)) return true;
  const hosts = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  return hosts.split('\n').some((line) => {
    const [, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(name);
  });
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
  return new OutboundFailure('dns', `The host name cannot be resolved (${codeOf(error)}).`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
