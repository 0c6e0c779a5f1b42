import { changeOutsideCode } from './code-ranges.js';

/**
 * Marks a following `<` as literal rather than Slack markup. convertText removes the marker. Input never
 * contains this character because JSON with it is rejected.
 */
export const NO_MARKUP = '\0';
/** A zero-width space; neither clients nor the server recognize a name after it. */
const GAP = '\u200b';

const URL = /(\bhttps?:\/\/[^\s<>`|]+)/;
const NAME_SIGN = /(?<![A-Za-z0-9_])@(?=[\p{L}\p{N}._-]|$)/gu;
const NAME_SIGNS = /(?<![A-Za-z0-9_<~])[@~](?=[\p{L}\p{N}._-])/gu;
/** Inline Markdown. A backslash counts only before punctuation, an underscore only at a word boundary. */
const MARKS = /[*`[\]]|\\(?=[!-/:-@[-`{-~\n]|$)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=[~\w-]|$)/gu;
/** Some clients take text in brackets after a URL for a link. Those around an IPv6 address stay. */
const URL_MARKS = /(?<=:\/\/)\[[\da-f.]*:[\da-f:.]*\](?=[:/?#]|$)|[[\]]/gi;
const ANGLE = /<(?=[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^\s<>@]+@)/g;
/* Clients take a no-break space for a space, and the symbol for a newline for a newline. */
const LINE_MARK = /^([ \t\u00a0]*)(#{1,6}(?=[ \t\u00a0]|$)|>|[-+](?=[ \t\u00a0]|$))/gm;
/** The line below the head of a table, or a rule. */
const RULE = /^([: \t\u00a0]*)([-|])(?=[-:| \t\u00a0]*$)/gm;
const NUMBER = /^([ \t\u00a0]*\d{1,9})([.)](?=[ \t\u00a0]|$))/gm;
/** A setext underline, which would make the line above it a heading. */
const UNDERLINE = /^(?=[ \t\u00a0]*[-=]+[ \t\u00a0]*$)/gm;

/** Returns Markdown that shows a text as typed, without mentions. Its `<` never start Slack markup. */
export function literalText(text: string): string {
  const inline = outsideUrls(
    text.replaceAll('\u2424', '\n'),
    (part) => part.replace(MARKS, '\\$&').replace(NAME_SIGN, `$&${GAP}`),
    (url) => url.replace(URL_MARKS, (found) => (found.length === 1 ? encodeURIComponent(found) : found)),
  );
  return inline
    .replace(LINE_MARK, '$1\\$2')
    .replace(RULE, '$1\\$2')
    .replace(NUMBER, '$1\\$2')
    .replace(UNDERLINE, GAP)
    .replace(ANGLE, '\\<')
    .replaceAll('<', `${NO_MARKUP}<`);
}

/** Returns Markdown that shows each line of a text as code. */
export function literalCode(text: string): string {
  const lines = text.replaceAll('<', `${NO_MARKUP}<`).split('\n');
  return lines.map((line) => (line.trim() === '' ? line : codeSpan(line))).join('\n');
}

/** Returns Markdown that shows a text as a code block. */
export function literalBlock(text: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}\n${text.replaceAll('<', `${NO_MARKUP}<`)}\n${fence}`;
}

/** Keeps plain names such as `@name` and `~name` in Markdown or Slack markup from mentioning anyone. */
export function withoutNames(text: string): string {
  const withGaps = (part: string): string => part.replace(NAME_SIGNS, `$&${GAP}`);
  return changeOutsideCode(text, (part) => (/[@~]/.test(part) ? outsideUrls(part, withGaps) : part));
}

/** Joins inline texts so that adjacent code spans do not merge. */
export function joinInline(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text, index, all) => (text.startsWith('`') && all[index - 1]?.endsWith('`') ? GAP + text : text))
    .join('');
}

/** Changes text and URLs. URLs keep their meaning, but their `@` does not mention anyone. */
function outsideUrls(
  text: string,
  change: (part: string) => string,
  changeUrl: (url: string) => string = (url) => url,
): string {
  const parts = text.split(URL);
  return parts
    .map((part, index) => (index % 2 === 0 ? change(part) : changeUrl(part).replace(NAME_SIGN, '%40')))
    .join('');
}

function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return ticks + pad + text + pad + ticks;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
