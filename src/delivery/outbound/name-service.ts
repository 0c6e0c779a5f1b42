import { lookup as systemLookup, promises as dns, type RecordWithTtl } from 'node:dns';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type Address, LocalNames } from './local-names.js';
import { OutboundFailure } from './outbound-failure.js';
import { OutboundSettings } from './outbound.settings.js';
import { type QueryOutcome, ZoneLimits } from './zone-limits.js';

const RESOLVER_OPTIONS = { timeout: 1_500, tries: 2 };
/** Deadline for the whole lookup, including waiting. */
const DEADLINE_MS = 5_000;
/** How long the addresses of one family wait for those of the other. */
const OTHER_FAMILY_MS = 1_000;
const MAX_CACHED = 5_000;
const MAX_CACHED_S = 30;
/** Names that the OS may resolve by other means than DNS and the hosts file, such as multicast DNS. */
const MAYBE_LOCAL_NAME = /^[^.]+\.?$|\.(?:local|internal|home\.arpa)\.?$/;
const WITHOUT_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
/** The code for a query that was skipped because the domain recently did not answer. */
const SPARED = 'ESPARED';
const UNANSWERED = new Set(['ETIMEOUT', SPARED]);

interface Answer {
  readonly outcome: QueryOutcome;
  readonly addresses: readonly Address[];
  readonly code: string;
}

/**
 * Resolves host names, so that no answer waits for the name servers of other names. The lookup of the system blocks
 * one of few threads, so it is used for one name at a time, and never for names in public DNS.
 */
@Injectable()
export class NameService implements OnApplicationShutdown {
  private readonly servers: readonly string[];
  private readonly cache = new LRUCache<string, readonly Address[]>({ max: MAX_CACHED });
  private readonly zones = new ZoneLimits();
  private readonly ofSystem = pLimit(1);
  private readonly endings = new Set<() => void>();

  constructor(
    settings: OutboundSettings,
    private readonly local: LocalNames,
  ) {
    this.servers = settings.dnsServers;
  }

  /** Returns the addresses of a host name, possibly none. Throws OutboundFailure within five seconds. */
  async addresses(hostname: string): Promise<readonly Address[]> {
    const name = hostname.toLowerCase();
    const found = this.cache.get(name) ?? (await this.local.find(name));
    if (found) return found;
    const resolver = new dns.Resolver(RESOLVER_OPTIONS); // a new one sees the current system configuration
    if (this.servers.length > 0) resolver.setServers([...this.servers]);
    const deadline = new AbortController();
    const end = (): void => {
      deadline.abort(unresolved('ETIMEOUT'));
      resolver.cancel();
    };
    const timer = setTimeout(end, DEADLINE_MS);
    this.endings.add(end);
    try {
      return await this.ask(name, resolver, deadline.signal);
    } finally {
      clearTimeout(timer);
      this.endings.delete(end);
    }
  }

  /** Whether this machine knows the addresses of a host name without asking name servers. */
  async isLocal(hostname: string): Promise<boolean> {
    return (await this.local.find(hostname.toLowerCase())) !== undefined;
  }

  /** Cancels pending lookups, which would keep the process alive. */
  onApplicationShutdown(): void {
    for (const end of this.endings) end();
  }

  private async ask(name: string, resolver: dns.Resolver, signal: AbortSignal): Promise<readonly Address[]> {
    const usesSystem = this.servers.length === 0;
    let code = '';
    for (const candidate of usesSystem ? await this.local.candidates(name) : [name]) {
      const answer = await this.zones.run(candidate, () => this.query(candidate, name, resolver), signal);
      if (answer?.outcome === 'found') return answer.addresses;
      if (signal.aborted) throw signal.reason;
      if (code === '' || candidate === name) code = answer?.code ?? SPARED;
      if (candidate === name && answer?.outcome !== 'none') break;
    }
    if (usesSystem && MAYBE_LOCAL_NAME.test(name) && !UNANSWERED.has(code))
      return this.askSystem(name, signal);
    throw unresolved(code);
  }

  /** Queries the name servers for both families and caches their answers under `name`. */
  private async query(candidate: string, name: string, resolver: dns.Resolver): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const resolved = async (addresses: Promise<RecordWithTtl[]>): Promise<RecordWithTtl[]> => {
      const found = await addresses;
      timer ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS);
      return found;
    };
    const [v4, v6] = await Promise.allSettled([
      resolved(resolver.resolve4(candidate, { ttl: true })),
      resolved(resolver.resolve6(candidate, { ttl: true })),
    ]);
    clearTimeout(timer);
    const records = [v4, v6].flatMap((result, index) =>
      result.status === 'fulfilled'
        ? result.value.map((each) => ({ ...each, family: index === 0 ? 4 : 6 }))
        : [],
    );
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      const code = codeOf(v4.reason);
      return { outcome: WITHOUT_ADDRESS.has(code) ? 'none' : 'failed', addresses: [], code };
    }
    const addresses = records.map(({ address, family }) => ({ address, family }));
    const ttl = Math.min(MAX_CACHED_S, ...records.map((record) => record.ttl)) * 1_000;
    if (ttl > 0) this.cache.set(name, addresses, { ttl });
    return { outcome: 'found', addresses, code: '' };
  }

  private askSystem(name: string, signal: AbortSignal): Promise<readonly Address[]> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason as Error);
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      void this.ofSystem(async () => {
        if (!signal.aborted) await lookup(name).then(resolve, reject);
      });
    });
  }
}

function lookup(name: string): Promise<readonly Address[]> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, addresses) => {
      if (error) reject(unresolved(codeOf(error)));
      else resolve(addresses);
    });
  });
}

function unresolved(code: string): OutboundFailure {
  const why =
    code === SPARED ? ': the name servers of its domain did not answer a few seconds ago' : ` (${code})`;
  return new OutboundFailure('dns', `The host name cannot be resolved${why}.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
