import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';

const MAX_PER_ZONE = 4;
const MAX_OF_KNOWN = 64;
const MAX_OF_UNKNOWN = 64;
/** A slower error means that a name server gave up waiting for another one. */
const SLOW_AFTER_MS = 1_500;
const SPARED_MS = 5_000;
const MAX_ZONES = 2_000;
const MAX_KNOWN = 10_000;
const KNOWN_FOR_MS = 3_600_000;

/** Second-level labels under which country TLDs register names. */
const SUFFIX_LABELS = new Set(
  'ac asn co com edu gen go gob gouv gov govt gv id ltd me mil ne net nom nsw or org plc sch school web'.split(
    ' ',
  ),
);

/** The result of a query: addresses, a definite answer that there are none, or no answer. */
export type QueryOutcome = 'found' | 'none' | 'failed';

interface Zone {
  readonly limit: LimitFunction;
  /** When to ask again after a failure to answer; 0 while the zone answers. */
  askAgainAt: number;
  isProbed: boolean;
}

/**
 * Keeps unresponsive name servers from delaying other lookups. Each registrable domain gets a few queries at a time,
 * and only probes while it does not answer. Names found in the last hour have their own limit.
 */
export class ZoneLimits {
  private readonly zones = new LRUCache<string, Zone>({ max: MAX_ZONES });
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_FOR_MS });
  private readonly ofKnown = pLimit(MAX_OF_KNOWN);
  private readonly ofUnknown = pLimit(MAX_OF_UNKNOWN);

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Runs a query once a place is free; undefined if the domain must not be queried now. Throws the signal's reason if
   * aborted before the query begins.
   */
  run<T extends { readonly outcome: QueryOutcome }>(
    name: string,
    query: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const zone = this.zoneOf(name);
    const isKnown = this.known.has(name);
    const total = isKnown ? this.ofKnown : this.ofUnknown;
    const place = <R>(work: () => Promise<R>): Promise<R> => zone.limit(() => total(work));
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason as Error);
      if (signal.aborted) return giveUp();
      if (!isKnown && !this.mayAsk(zone)) return resolve(undefined);
      signal.addEventListener('abort', giveUp, { once: true });
      place(async () => {
        if (signal.aborted) return;
        signal.removeEventListener('abort', giveUp);
        if (!isKnown && !this.mayAsk(zone)) return resolve(undefined);
        resolve(await this.ask(zone, name, query));
      }).catch(reject);
    });
  }

  private mayAsk({ askAgainAt, isProbed }: Zone): boolean {
    return askAgainAt === 0 || (!isProbed && this.now() >= askAgainAt);
  }

  private async ask<T extends { readonly outcome: QueryOutcome }>(
    zone: Zone,
    name: string,
    query: () => Promise<T>,
  ): Promise<T> {
    const isProbe = zone.askAgainAt !== 0;
    const beganAt = this.now();
    if (isProbe) zone.isProbed = true;
    try {
      const result = await query();
      this.note(zone, name, result.outcome, this.now() - beganAt);
      return result;
    } finally {
      if (isProbe) zone.isProbed = false;
    }
  }

  private note(zone: Zone, name: string, outcome: QueryOutcome, tookMs: number): void {
    if (outcome === 'found') this.known.set(name, true);
    else this.known.delete(name);
    if (outcome !== 'failed') zone.askAgainAt = 0;
    else if (tookMs > SLOW_AFTER_MS || zone.askAgainAt !== 0) zone.askAgainAt = this.now() + SPARED_MS;
  }

  private zoneOf(name: string): Zone {
    const domain = registrableDomain(name);
    const known = this.zones.get(domain);
    if (known) return known;
    const zone = { limit: pLimit(MAX_PER_ZONE), askAgainAt: 0, isProbed: false };
    this.zones.set(domain, zone);
    return zone;
  }
}

/** The last two labels of a name, or three if the second is part of a public suffix, as in `co.uk`. */
function registrableDomain(name: string): string {
  const labels = name.replace(/\.$/, '').split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && SUFFIX_LABELS.has(second) ? -3 : -2).join('.');
}
