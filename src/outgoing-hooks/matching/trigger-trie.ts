import type { PreparedTrigger } from './trigger-matcher.js';

/** Longer beginnings tell little more, and cost more on hostile texts. */
const MAX_DEPTH = 8;

interface Node<T> {
  readonly next: Map<number, Node<T>>;
  readonly values: T[];
}

/**
 * Finds the values whose trigger may occur in a text, in a time that hardly depends on how many there are. It looks at
 * the first characters of the triggers only: whether one really matches is for the matcher to say.
 */
export class TriggerTrie<T> {
  private readonly root: Node<T> = { next: new Map(), values: [] };

  add({ text }: PreparedTrigger, value: T): void {
    let node = this.root;
    for (let index = 0; index < Math.min(text.length, MAX_DEPTH); index++) {
      const unit = text.charCodeAt(index);
      let next = node.next.get(unit);
      if (!next) node.next.set(unit, (next = { next: new Map(), values: [] }));
      node = next;
    }
    node.values.push(value);
  }

  /** Adds to `found` the values whose trigger may begin anywhere in the text. */
  findAnywhere(text: string, found: Set<T>): void {
    if (this.root.next.size === 0 && this.root.values.length === 0) return;
    for (let start = 0; start < text.length; start++) this.findAt(text, start, found);
  }

  /** Adds to `found` the values whose trigger may begin at `start`. */
  findAt(text: string, start: number, found: Set<T>): void {
    let node: Node<T> | undefined = this.root;
    for (let index = start; node; index++) {
      for (const value of node.values) found.add(value);
      if (index >= text.length) return;
      node = node.next.get(text.charCodeAt(index));
    }
  }
}
