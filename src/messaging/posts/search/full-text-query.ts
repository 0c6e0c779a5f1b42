import { dialect } from '../../../platform/config/settings.js';
import { indexedWords } from './indexed-words.js';

/** The words and phrases of a search; a word may end with `*`, and a hashtag begins with `#`. */
interface Wanted {
  readonly words: readonly string[];
  readonly excluded: readonly string[];
  readonly anyWord: boolean;
}

/**
 * Returns the query for the full-text index, or an empty string if nothing can match. Text from users reaches
 * it only as letters and digits, or between quotation marks.
 */
export function fullTextQuery({ words, excluded, anyWord }: Wanted, database = dialect): string {
  const whole = anyWord ? words : words.filter((word) => !isShort(word, database));
  const wanted = termsOf(whole.length > 0 ? whole : words, database);
  const unwanted = termsOf(withoutTags(excluded), database);
  if (wanted.length === 0) return '';
  if (database === 'mysql')
    return [
      ...wanted.map((term) => (anyWord ? term : `+${term}`)),
      ...unwanted.map((term) => `-${term}`),
    ].join(' ');
  const query = `(${wanted.join(anyWord ? ' OR ' : ' AND ')})`;
  return unwanted.length === 0 ? query : `${query} NOT (${unwanted.join(' OR ')})`;
}

/** Returns the query for posts with any of these words, or an empty string if there are none. */
export function anyOf(words: readonly string[], database = dialect): string {
  return fullTextQuery({ words: withoutTags(words), excluded: [], anyWord: true }, database);
}

/** Returns the query for posts with the word of a hashtag, or an empty string if the index does not have it. */
export function tagQuery(tag: string, database = dialect): string {
  return isShort(tag, database) ? '' : fullTextQuery({ words: [tag], excluded: [], anyWord: true }, database);
}

/** Whether a required word must be looked for in the message too, as the index does not decide it. */
export const isCompared = (word: string, database = dialect): boolean =>
  hasLetters(word) && (isTag(word) || isShort(word, database));

/** The words and phrases of which the index of MySQL has a word: a query that requires others finds nothing. */
export const withIndexedWords = (words: readonly string[], database = dialect): string[] =>
  words.filter((word) => hasLetters(word) && !isShort(word, database));

/** The index of MySQL has only words of three letters or more. */
const isShort = (word: string, database: typeof dialect): boolean =>
  database === 'mysql' && indexedWords(word).length === 0;

/** The index does not keep the `#` of a hashtag. */
export const isTag = (word: string): boolean => word.startsWith('#');

const withoutTags = (words: readonly string[]): string[] => words.filter((word) => !isTag(word));

/** Words without letters and digits are not in the index and are ignored. */
const hasLetters = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

const termsOf = (words: readonly string[], database: typeof dialect): string[] =>
  words.filter(hasLetters).map((word) => termOf(word, database));

function termOf(word: string, database: typeof dialect): string {
  const isPrefix = word.endsWith('*');
  const text = word
    .replace(/^#/, '')
    .replace(/["*\s]+/g, ' ')
    .trim();
  // MySQL supports prefixes only without quotation marks.
  const isPlain = database === 'mysql' && /^[\p{L}\p{M}\p{N}_]+$/u.test(text);
  return (isPlain ? text : `"${text}"`) + (isPrefix && (isPlain || database === 'sqlite') ? '*' : '');
}
