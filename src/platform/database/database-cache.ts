import { LRUCache } from 'lru-cache';
import { estimateBytes } from './estimate-bytes.js';
import type { UnitOfWork } from './unit-of-work.js';

const ENTRY_BYTES = 128;

export interface CacheOptions<V> {
  /** What all values may take together. A value that is larger by itself pushes all others out. */
  readonly maxBytes: number;
  /** Whether `null` is kept too. Then whoever inserts such a row must forget its key. */
  readonly keepsMisses?: boolean;
  /** About how many bytes a value takes; estimated from its fields unless told. */
  readonly sizeOf?: (value: V) => number;
}

interface Entry<V> {
  readonly value: V;
}

/**
 * What was read from the database, by key, least recently used first out. It holds committed values only: inside a unit
 * of work it reads through and stores nothing, and what is forgotten there is forgotten after the commit, or not at all.
 * Loads of one key share one query. A value that was being read while anything was forgotten is handed out but not kept:
 * it may be older than the change. `null` stands for a row that is not there. Values are shared: do not change them.
 */
export class DatabaseCache<V extends NonNullable<unknown> | null> {
  private readonly values: LRUCache<string, Entry<V>>;
  private readonly loading = new Map<string, Promise<V>>();
  private readonly keepsMisses: boolean;
  private generation = 0;

  constructor(
    private readonly unitOfWork: Pick<UnitOfWork, 'isOpen' | 'afterCommit'>,
    { maxBytes, keepsMisses = false, sizeOf = estimateBytes }: CacheOptions<V>,
  ) {
    this.keepsMisses = keepsMisses;
    this.values = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value }, key) =>
        Math.min(maxBytes, Math.ceil(ENTRY_BYTES + estimateBytes(key) + sizeOf(value))),
    });
  }

  /** The value of `key`, from memory or through `load`. A failing load is not remembered. */
  async get(key: string, load: () => Promise<V>): Promise<V> {
    if (this.unitOfWork.isOpen) return load();
    const known = this.values.get(key);
    return known ? known.value : (this.loading.get(key) ?? this.read(key, load));
  }

  /** The value as it was committed last, if it is in memory. A unit of work does not see its own change. */
  peek(key: string): V | undefined {
    return this.values.peek(key)?.value;
  }

  forget(key: string): void {
    this.change(() => {
      this.values.delete(key);
      this.loading.delete(key);
    });
  }

  forgetWhere(matches: (value: V, key: string) => boolean): void {
    this.change(() => {
      this.loading.clear();
      for (const [key, { value }] of this.values.entries()) if (matches(value, key)) this.values.delete(key);
    });
  }

  clear(): void {
    this.change(() => {
      this.loading.clear();
      this.values.clear();
    });
  }

  private async read(key: string, load: () => Promise<V>): Promise<V> {
    const { generation } = this;
    const started = load();
    this.loading.set(key, started);
    try {
      const value = await started;
      const isKept = generation === this.generation && (value !== null || this.keepsMisses);
      if (isKept) this.values.set(key, { value });
      return value;
    } finally {
      if (this.loading.get(key) === started) this.loading.delete(key);
    }
  }

  private change(drop: () => void): void {
    this.unitOfWork.afterCommit(() => {
      this.generation++;
      drop();
    });
  }
}
