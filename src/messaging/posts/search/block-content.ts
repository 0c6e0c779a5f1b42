import { foldCase } from '../../../platform/database/folded-text.js';

/** A byte that never occurs in UTF-8 text. */
const SEPARATOR = Buffer.from([0xff]);
const ID_BYTES = 26;
const SEQ_BYTES = 8;
const END_BYTES = 4;
const ENTRY_BYTES = SEQ_BYTES + END_BYTES + 2;

/** The searchable fields of a post. */
export interface SearchablePost {
  readonly seq: number;
  readonly userId: string;
  readonly message: string;
}

/** Posts packed in `seq` order. */
export interface BlockContent {
  /** The IDs of distinct authors, concatenated. */
  readonly authors: Buffer;
  /** For each post: its `seq`, the end of its message, and the index of its author. */
  readonly entries: Buffer;
  /** Case-folded messages in UTF-8, each followed by a separator byte. */
  readonly messages: Buffer;
}

/** What to look for in a block. */
export interface BlockSearch {
  /** As returned by `foldedBytes`. */
  readonly words: readonly Buffer[];
  readonly anyWord: boolean;
  /** Empty for all authors. */
  readonly authorIds: readonly string[];
}

/** Returns a word as encoded in the messages of a block. */
export function foldedBytes(word: string): Buffer {
  return Buffer.from(foldCase(word));
}

/** Packs posts, which must be sorted by `seq`. */
export function packPosts(posts: readonly SearchablePost[]): BlockContent {
  const authors = new Map<string, number>();
  const entries = Buffer.alloc(posts.length * ENTRY_BYTES);
  const parts: Buffer[] = [];
  let end = 0;
  posts.forEach(({ seq, userId, message }, index) => {
    const author = authors.get(userId) ?? authors.size;
    authors.set(userId, author);
    const text = foldedBytes(message);
    parts.push(text, SEPARATOR);
    end += text.length;
    const at = index * ENTRY_BYTES;
    entries.writeDoubleLE(seq, at);
    entries.writeUInt32LE(end, at + SEQ_BYTES);
    entries.writeUInt16LE(author, at + SEQ_BYTES + END_BYTES);
    end += SEPARATOR.length;
  });
  const ids = [...authors.keys()].map((id) => id.padEnd(ID_BYTES));
  return { authors: Buffer.from(ids.join('')), entries, messages: Buffer.concat(parts) };
}

/** How much of a block to search, starting at the newest post. */
export interface BlockLimits {
  readonly posts: number;
  readonly bytes: number;
}

/**
 * Returns the `seq` of each post that may match, newest first. It misses no matches: JavaScript folds the
 * case of every letter that the database does, and more.
 */
export function candidatesIn(
  content: BlockContent,
  { words, anyWord, authorIds }: BlockSearch,
  limits: BlockLimits,
): number[] {
  const { entries } = content;
  const count = entries.length / ENTRY_BYTES;
  const hits = new Uint8Array(count);
  for (const word of words) countHits(content, word, hits);
  const needed = anyWord ? Math.min(1, words.length) : words.length;
  const authors = numbersOf(content.authors, authorIds);
  const found: number[] = [];
  const first = firstWithin(entries, limits);
  for (let index = count - 1; index >= first; index--) {
    const at = index * ENTRY_BYTES;
    if ((hits[index] ?? 0) < needed) continue;
    if (authors && !authors.has(entries.readUInt16LE(at + SEQ_BYTES + END_BYTES))) continue;
    found.push(entries.readDoubleLE(at));
  }
  return found;
}

/** Returns the index of the oldest post within the limits; that post may exceed the byte limit. */
function firstWithin(entries: Buffer, limits: BlockLimits): number {
  const count = entries.length / ENTRY_BYTES;
  const lowest = Math.max(0, count - limits.posts);
  let index = count;
  for (let { bytes } = limits; index > lowest && bytes > 0;) {
    index--;
    bytes -= endOf(entries, index) - (index === 0 ? 0 : endOf(entries, index - 1) + SEPARATOR.length);
  }
  return index;
}

/** Adds 1 to the hits of each post that contains the word. */
function countHits({ entries, messages }: BlockContent, word: Buffer, hits: Uint8Array): void {
  let index = 0;
  for (let at = messages.indexOf(word); at >= 0;) {
    while (endOf(entries, index) < at) index++;
    hits[index] = (hits[index] ?? 0) + 1;
    at = messages.indexOf(word, endOf(entries, index));
  }
}

function endOf(entries: Buffer, index: number): number {
  return entries.readUInt32LE(index * ENTRY_BYTES + SEQ_BYTES);
}

/** Returns the indexes of authors in a block, or null for all authors. */
function numbersOf(authors: Buffer, ids: readonly string[]): ReadonlySet<number> | null {
  if (ids.length === 0) return null;
  const known = authors.toString();
  const numbers = new Set<number>();
  for (let at = 0; at < known.length; at += ID_BYTES)
    if (ids.includes(known.slice(at, at + ID_BYTES).trimEnd())) numbers.add(at / ID_BYTES);
  return numbers;
}
