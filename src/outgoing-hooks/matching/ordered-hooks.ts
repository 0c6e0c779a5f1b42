import type { OutgoingHook } from '../outgoing-hook.entity.js';

/** Hooks, oldest first. A change shifts the hooks after it without reading them. */
export class OrderedHooks implements Iterable<OutgoingHook> {
  private readonly hooks: OutgoingHook[] = [];

  get size(): number {
    return this.hooks.length;
  }

  [Symbol.iterator](): IterableIterator<OutgoingHook> {
    return this.hooks.values();
  }

  add(hook: OutgoingHook): void {
    this.hooks.splice(this.positionOf(hook), 0, hook);
  }

  remove(hook: OutgoingHook): void {
    const position = this.positionOf(hook);
    if (this.hooks[position]?.id === hook.id) this.hooks.splice(position, 1);
  }

  /** A page of the hooks, skipping those in `left` (oldest first). Reads only the page. */
  pageWithout(left: readonly OutgoingHook[], offset: number, count: number): OutgoingHook[] {
    let position = offset;
    for (const hook of left) {
      if (this.positionOf(hook) > position) break;
      position++;
    }
    const ids = new Set(left.map(({ id }) => id));
    const page: OutgoingHook[] = [];
    for (; page.length < count && position < this.hooks.length; position++) {
      const hook = this.hooks[position];
      if (hook && !ids.has(hook.id)) page.push(hook);
    }
    return page;
  }

  /** The index of a hook, or where it would be inserted. */
  private positionOf(hook: OutgoingHook): number {
    let low = 0;
    let high = this.hooks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.hooks[middle];
      if (other && compareAge(other, hook) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Negative if the first hook is older; ties are broken by id. */
export function compareAge(one: OutgoingHook, other: OutgoingHook): number {
  if (one.createAt !== other.createAt) return one.createAt - other.createAt;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}
