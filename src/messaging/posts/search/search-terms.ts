/** The most words, authors and channels in one search; further ones are ignored. */
const MAX_TERMS = 20;
const TOKEN = /(-?)(?:(from|in|channel):\s*)?(?:"([^"]*)"?|(\S+))/gi;

/** The parsed terms of a search (docs/contract/messaging.md#search). */
export interface SearchTerms {
  /** Words, phrases and hashtags to find in the message. */
  readonly words: readonly string[];
  readonly excluded: readonly string[];
  /** Usernames; the post must be by one of them. */
  readonly authors: readonly string[];
  /** Channel names; the post must be in one of them. */
  readonly channels: readonly string[];
}

/** Parses the text of a search box: `build "is green" -red from:ada in:town-square #ci`. */
export function parseSearchTerms(text: string): SearchTerms {
  const terms = {
    words: [] as string[],
    excluded: [] as string[],
    authors: [] as string[],
    channels: [] as string[],
  };
  for (const [, minus, key, phrase, word] of text.matchAll(TOKEN)) {
    const value = phrase?.trim() ?? word?.replace(/^["']+|(?<!["'*,])["'*,]+$/g, '') ?? '';
    if (value === '' || (minus && key)) continue;
    const name = value.replace(/^[@~]/, '').toLowerCase();
    if (key?.toLowerCase() === 'from') add(terms.authors, name);
    else if (key) add(terms.channels, name);
    else add(minus ? terms.excluded : terms.words, value);
  }
  return terms;
}

function add(list: string[], value: string): void {
  if (list.length < MAX_TERMS && value !== '') list.push(value);
}
