import type { Sent } from './load.mjs';
import type { FoundPosts } from './stored-rows.mjs';

export interface Faults {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly half: readonly string[];
  readonly wrong: readonly string[];
}

export function compare(options: {
  sent: readonly Sent[];
  found: FoundPosts;
  hooks: ReadonlyMap<string, number>;
  once?: ReadonlySet<string>;
}): Faults;
