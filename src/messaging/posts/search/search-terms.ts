/** Maximum number of words, authors, channels and days of each kind per search; the rest are ignored. */
const MAX_TERMS = 20;
const DAY_MS = 86_400_000;
const TOKEN = /(-?)(?:(from|in|channel|before|after|on):\s*)?(?:"([^"]*)"?|(\S+))/gi;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The parsed terms of a search (docs/contract/messaging.md#search). */
export interface SearchTerms {
  /** Words, phrases and hashtags to find in the message. A word that ends with `*` is the beginning of one. */
  readonly words: readonly string[];
  readonly excluded: readonly string[];
  readonly authors: readonly string[];
  readonly otherAuthors: readonly string[];
  readonly channels: readonly string[];
  readonly otherChannels: readonly string[];
  /** When the post was stored, in milliseconds: at or after `since`, and before `until`. */
  readonly since: number;
  readonly until: number;
  /** The first flag that was not understood, as written; empty if none. */
  readonly invalid: string;
}

type Found = {
  -readonly [key in keyof SearchTerms]: SearchTerms[key] extends readonly string[]
    ? string[]
    : SearchTerms[key];
};

/**
 * Parses search box text: `build "is green" -red from:ada -in:town-square after:2026-01-31 #ci`. Days start
 * at midnight in the time zone `offsetMs` ahead of UTC.
 */
export function parseSearchTerms(text: string, offsetMs = 0): SearchTerms {
  const terms: Found = {
    ...{ words: [], excluded: [], authors: [], otherAuthors: [], channels: [], otherChannels: [] },
    ...{ since: -Infinity, until: Infinity, invalid: '' },
  };
  for (const [token, minus, flag, phrase, word] of text.matchAll(TOKEN)) {
    const isNot = minus !== '';
    const value = phrase?.replaceAll('*', ' ').trim() ?? trimmed(word ?? '');
    const name = value.replace(/^[@~]/, '').toLowerCase();
    const key = flag?.toLowerCase();
    if (value === '') continue;
    if (key === undefined)
      add(isNot ? terms.excluded : terms.words, word?.endsWith('*') ? `${value}*` : value);
    else if (key === 'from') add(isNot ? terms.otherAuthors : terms.authors, name);
    else if (key === 'in' || key === 'channel') add(isNot ? terms.otherChannels : terms.channels, name);
    else if (!narrow(terms, key, isNot, value, offsetMs)) terms.invalid ||= token;
  }
  return terms;
}

/** Narrows the time range by a day. Returns false if it is not a valid day or would leave a gap. */
function narrow(terms: Found, key: string, isNot: boolean, day: string, offsetMs: number): boolean {
  const midnight = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  if (!isDay || (isNot && key === 'on')) return false;
  const start = midnight - offsetMs;
  const end = start + DAY_MS;
  if (key === 'on' || (key === 'before' && isNot)) terms.since = Math.max(terms.since, start);
  if (key === 'on' || (key === 'after' && isNot)) terms.until = Math.min(terms.until, end);
  if (key === 'before' && !isNot) terms.until = Math.min(terms.until, start);
  if (key === 'after' && !isNot) terms.since = Math.max(terms.since, end);
  return true;
}

const trimmed = (word: string): string =>
  word.replace(/^[-"'([{<,.;:!?]+/, '').replace(/(?<!["'*)\]}>,.;:!?])["'*)\]}>,.;:!?]+$/, '');

function add(list: string[], value: string): void {
  if (list.length < MAX_TERMS && value !== '') list.push(value);
}
