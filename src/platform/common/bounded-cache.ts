/**
 * A bounded map of loaded values, least recently used first out. Loads of one key share one query. A value that was
 * being read while anything was forgotten is handed out but not kept: it may be older than the change.
 */
export class BoundedCache<V> {
  private readonly values = new Map<string, V>();
  private readonly loading = new Map<string, Promise<V>>();
  private generation = 0;

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.values.size;
  }

  peek(key: string): V | undefined {
    return this.values.get(key);
  }

  /** The value of `key`, from memory or through `load`. A failing load is not remembered. */
  async get(key: string, load: () => Promise<V>): Promise<V> {
    const known = this.values.get(key);
    if (known !== undefined) {
      this.values.delete(key);
      this.values.set(key, known);
      return known;
    }
    const pending = this.loading.get(key);
    if (pending) return pending;
    const generation = this.generation;
    const started = load().then((value) => {
      if (generation === this.generation) this.set(key, value);
      return value;
    });
    this.loading.set(key, started);
    try {
      return await started;
    } finally {
      if (this.loading.get(key) === started) this.loading.delete(key);
    }
  }

  forget(key: string): void {
    this.generation++;
    this.values.delete(key);
    this.loading.delete(key);
  }

  forgetWhere(matches: (key: string, value: V) => boolean): void {
    this.generation++;
    this.loading.clear();
    for (const [key, value] of this.values) if (matches(key, value)) this.values.delete(key);
  }

  clear(): void {
    this.generation++;
    this.values.clear();
    this.loading.clear();
  }

  private set(key: string, value: V): void {
    if (value === undefined) return;
    if (this.values.size >= this.maxEntries) {
      const oldest = this.values.keys().next().value;
      if (oldest !== undefined) this.values.delete(oldest);
    }
    this.values.set(key, value);
  }
}
