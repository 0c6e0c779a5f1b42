import { LRUCache } from 'lru-cache';
import { ID_LENGTH, isId } from '../common/ids.js';
import type { JsonObject } from '../common/json.js';
import { estimateBytes } from './estimate-bytes.js';
import type { UnitOfWork } from './unit-of-work.js';

const ENTRY_BYTES = 128;
/** Maximum age where other processes can change the database, regardless of their notifications. */
const MAX_SHARED_AGE_MS = 60_000;

/** The options of a cache. */
export interface CacheOptions<V> {
  /** Identifies the cache across processes, for invalidations. */
  readonly name: string;
  /** The total size of all values. A larger value is cached alone. */
  readonly maxBytes: number;
  /** Which keys can exist. Keys come from outside; impossible ones cause no query and use no memory. */
  readonly keys: KeyShape<NoInfer<V>>;
  /** Whether to cache `null` too. Code that inserts such a row must then forget its key. */
  readonly keepsMisses?: boolean;
  /** The approximate size of a value in bytes; estimated from its fields by default. */
  readonly sizeOf?: (value: V) => number;
  /** Groups of entries to invalidate together, such as those of one user (the `member`). */
  readonly groups?: Readonly<Record<string, (value: NoInfer<V>, key: string, member: string) => boolean>>;
}

/** Recognizes possible keys; `otherwise` is the value of all others. */
export interface KeyShape<V> {
  readonly has: (key: string) => boolean;
  readonly otherwise: V;
}

/** Keys that are ids. */
export const idKeys = <V>(otherwise: V): KeyShape<V> => ({ has: isId, otherwise });

/** Keys that consist of two ids separated by a space. */
export const idPairKeys = <V>(otherwise: V): KeyShape<V> => ({
  has: (key) => isId(key.slice(0, ID_LENGTH)) && isId(key.slice(ID_LENGTH + 1)),
  otherwise,
});

/** Keys of at most `maxLength` characters, such as names. */
export const shortKeys = <V>(maxLength: number, otherwise: V): KeyShape<V> => ({
  has: (key) => key.length <= maxLength,
  otherwise,
});

interface Entry<V> {
  readonly value: V;
}

type CacheUnitOfWork = Pick<UnitOfWork, 'isOpen' | 'afterCommit' | 'changes' | 'notifyOtherProcesses'>;

/**
 * An LRU cache of database reads. It contains only committed values: a unit of work bypasses it, and
 * invalidations take effect after the commit, or never if it rolls back. Concurrent loads of a key share one
 * query. A value whose load overlaps an invalidation is returned but not cached, since it may be stale.
 * `null` represents a missing row. Values are shared: do not modify them.
 *
 * Invalidations also reach the caches of the same name in other processes; while their changes are unknown,
 * every value is read from the database.
 */
export class DatabaseCache<V extends NonNullable<unknown> | null> {
  private readonly values: LRUCache<string, Entry<V>>;
  private readonly loading = new Map<string, Promise<V>>();
  private readonly keepsMisses: boolean;
  private readonly keys: KeyShape<NoInfer<V>>;
  private readonly groups: NonNullable<CacheOptions<V>['groups']>;
  private readonly topic: string;
  private generation = 0;

  constructor(
    private readonly unitOfWork: CacheUnitOfWork,
    { name, maxBytes, keepsMisses = false, sizeOf = estimateBytes, keys, groups = {} }: CacheOptions<V>,
  ) {
    this.keepsMisses = keepsMisses;
    this.keys = keys;
    this.groups = groups;
    this.topic = `cache:${name}`;
    this.values = new LRUCache({
      maxSize: maxBytes,
      ...(unitOfWork.changes.isShared ? { ttl: MAX_SHARED_AGE_MS } : {}),
      sizeCalculation: ({ value }, key) =>
        Math.min(maxBytes, Math.ceil(ENTRY_BYTES + estimateBytes(key) + sizeOf(value))),
    });
    unitOfWork.changes.on(this.topic, (body) => this.applyRemoteChange(body));
    unitOfWork.changes.onLost(() => this.applyRemoteChange({}));
  }

  /** The value of `key`, from memory or through `load`. A failed load is not cached. */
  async get(key: string, load: () => Promise<V>): Promise<V> {
    const readsThrough = this.unitOfWork.isOpen || this.unitOfWork.changes.isBehind;
    const known = readsThrough ? undefined : this.values.get(key);
    if (known) return known.value;
    if (!this.keys.has(key)) return this.keys.otherwise;
    if (readsThrough) return load();
    return this.loading.get(key) ?? this.read(key, load);
  }

  /** The cached value, if any, as last committed. A unit of work does not see its own changes here. */
  peek(key: string): V | undefined {
    return this.unitOfWork.changes.isBehind ? undefined : this.values.peek(key)?.value;
  }

  /** Removes a key once the open unit of work commits, which must be that of the change; throws outside of one. */
  forget(key: string): void {
    this.notifyOtherProcesses({ key });
    this.invalidate(() => this.remove(key));
  }

  /** Like `forget`, for the entries of `member` in one of the groups. */
  forgetGroup(group: string, member: string): void {
    this.notifyOtherProcesses({ group, member });
    this.invalidate(() => this.removeGroup(group, member));
  }

  /** Like `forget`, for all entries. */
  clear(): void {
    this.notifyOtherProcesses({});
    this.invalidate(() => this.removeAll());
  }

  private async read(key: string, load: () => Promise<V>): Promise<V> {
    const { generation } = this;
    const started = load();
    this.loading.set(key, started);
    try {
      const value = await started;
      const isCacheable = generation === this.generation && (value !== null || this.keepsMisses);
      if (isCacheable) this.values.set(key, { value });
      return value;
    } finally {
      if (this.loading.get(key) === started) this.loading.delete(key);
    }
  }

  private notifyOtherProcesses(change: JsonObject): void {
    if (!this.unitOfWork.isOpen)
      throw new Error(`${this.topic} must be invalidated in the unit of work that makes the change.`);
    this.unitOfWork.notifyOtherProcesses(this.topic, change);
  }

  private invalidate(remove: () => void): void {
    this.unitOfWork.afterCommit(() => {
      this.generation++;
      remove();
    });
  }

  private remove(key: string): void {
    this.values.delete(key);
    this.loading.delete(key);
  }

  private removeGroup(group: string, member: string): void {
    const belongs = this.groups[group];
    if (!belongs) throw new Error(`${this.topic} has no group ${group}.`);
    this.loading.clear();
    for (const [key, { value }] of this.values.entries())
      if (belongs(value, key, member)) this.values.delete(key);
  }

  private removeAll(): void {
    this.loading.clear();
    this.values.clear();
  }

  private applyRemoteChange({ key, group, member }: JsonObject): void {
    this.generation++;
    if (typeof key === 'string') this.remove(key);
    else if (typeof group === 'string' && typeof member === 'string' && this.groups[group])
      this.removeGroup(group, member);
    else this.removeAll(); // also for groups that only a newer version knows
  }
}
