/** A random post, including deleted ones. */
export interface SampledPost {
  /** Null if it is outside of the search, by channel or time. */
  readonly seq: number | null;
  /** Whether it has each of the words of the index. */
  readonly has: readonly boolean[];
  /** Whether its author is one of those wanted. */
  readonly isByAuthor: boolean;
}

/** What to find: per term, the places of its words in `SampledPost.has`. */
export interface PlannedSearch {
  readonly terms: readonly (readonly number[])[];
  readonly anyWord: boolean;
  readonly limit: number;
}

/** Costs, in posts. */
export interface PlanLimits {
  /** The index is never asked for words that more posts have. */
  readonly matches: number;
  /** The first part of the posts that are read newest first, and the largest. */
  readonly firstPart: number;
  readonly largestPart: number;
}

/** How to search: with words for the index, or by reading posts newest first. */
export interface SearchPlan {
  /** Places in `SampledPost.has` of the words that the index is asked for: one of them must occur. Empty to read posts. */
  readonly words: readonly number[];
  /** Where each part of the posts begins that is read, newest first: its lowest `seq`. The rest follows. */
  readonly parts: readonly number[];
}

/** Plans a search by a random sample of posts, from a table of about `rows`. */
export function planSearch(
  sample: readonly SampledPost[],
  rows: number,
  { terms, anyWord, limit }: PlannedSearch,
  { matches: maxMatches, firstPart, largestPart }: PlanLimits,
): SearchPlan {
  const weight = Math.max(1, rows / Math.max(1, sample.length)); // posts for each one of the sample
  const count = (word: number): number => sample.filter(({ has }) => has[word]).length;
  const rarer = (one: number, other: number): number => (count(other) < count(one) ? other : one);
  const rarest = terms.map((words) => words.reduce(rarer));
  const words = anyWord ? rarest : [rarest.reduce(rarer)];
  const matches = words.reduce((sum, word) => sum + count(word), 0) * weight;

  const inside = sample.filter(({ seq }) => seq !== null).sort((a, b) => Number(b.seq) - Number(a.seq));
  const found = inside.filter(({ has, isByAuthor }) => {
    const occurs = (term: readonly number[]): boolean => term.every((word) => has[word]);
    return isByAuthor && (anyWord ? terms.some(occurs) : terms.every(occurs));
  }).length;
  const all = inside.length * weight;
  const reads = found === 0 ? all : Math.min(all, (limit * inside.length) / found);
  if (matches <= Math.min(maxMatches, reads)) return { words, parts: [] };

  const parts: number[] = [];
  let size = Math.max(firstPart, 1.5 * reads);
  for (let at = 0; ; size *= 2) {
    at += Math.max(1, Math.round(Math.min(size, largestPart) / weight));
    const seq = inside[at]?.seq;
    if (seq === undefined || seq === null) return { words: [], parts };
    parts.push(seq);
  }
}
