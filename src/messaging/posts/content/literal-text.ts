import { changeOutsideCode } from './code-ranges.js';

/**
 * Before a `<` it says that this begins no markup of Slack. convertText removes it. No text from outside holds this
 * character, since JSON with it is refused.
 */
export const NO_MARKUP = '\0';
/** A space without width, after which neither clients nor the server see a name. */
const GAP = '\u200b';

const URL = /(\bhttps?:\/\/[^\s<>`|]+)/;
const NAME_SIGN = /(?<![A-Za-z0-9_])@(?=[\p{L}\p{N}._-]|$)/gu;
const NAME_SIGNS = /(?<![A-Za-z0-9_<~])[@~](?=[\p{L}\p{N}._-])/gu;
/** A backslash counts only before punctuation, and an underscore only at the edge of a word. */
const MARKS =
  /[*`]|\\(?=[!-/:-@[-`{-~\n]|$)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=[~\w-]|$)|\](?=[([:]|$)/gu;
const MARKS_OF_LABEL = new RegExp(`${MARKS.source}|[[\\]]`, MARKS.flags);
/** Begins an address in angle brackets, which would be a link. */
const ANGLE = /<(?=[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^\s<>@]+@)/g;
/** Headings, quotes, lists, rules and tables begin with one of these. */
const LINE_MARK = /^([ \t]*)(#{1,6}(?=[ \t]|$)|>|[-+](?=[ \t]|$)|[-|](?=[-:| \t]*$))/gm;
const NUMBER = /^([ \t]*\d{1,9})([.)](?=[ \t]|$))/gm;
/** The line above it would be a heading. */
const UNDERLINE = /^(?= {0,3}=+[ \t]*$)/gm;

/** Markdown that shows a text as it was typed, and mentions nobody. Its `<` begin no markup of Slack. */
export function literalText(text: string): string {
  return literal(text, MARKS);
}

/** As literalText, for the label of a link. */
export function literalLabel(text: string): string {
  return literal(text, MARKS_OF_LABEL);
}

function literal(text: string, marks: RegExp): string {
  const inline = outsideUrls(text, (part) => part.replace(marks, '\\$&').replace(NAME_SIGN, `$&${GAP}`));
  return inline
    .replace(LINE_MARK, '$1\\$2')
    .replace(NUMBER, '$1\\$2')
    .replace(UNDERLINE, GAP)
    .replace(ANGLE, '\\<')
    .replaceAll('<', `${NO_MARKUP}<`);
}

/** Markdown that shows each line of a text as code. */
export function literalCode(text: string): string {
  const lines = text.replaceAll('<', `${NO_MARKUP}<`).split('\n');
  return lines.map((line) => (line.trim() === '' ? line : codeSpan(line))).join('\n');
}

/** Markdown that shows a text as a block of code. */
export function literalBlock(text: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}\n${text.replaceAll('<', `${NO_MARKUP}<`)}\n${fence}`;
}

/** Markdown and markup of Slack in which names without markup, such as `@name` and `~name`, mention nobody. */
export function withoutNames(text: string): string {
  const withGaps = (part: string): string => part.replace(NAME_SIGNS, `$&${GAP}`);
  return changeOutsideCode(text, (part) => outsideUrls(part, withGaps));
}

/** Puts texts together so that code in them does not run together. */
export function joinInline(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text, index, all) => (text.startsWith('`') && all[index - 1]?.endsWith('`') ? GAP + text : text))
    .join('');
}

/** Changes what is not part of an address of the web. Addresses keep their meaning, but mention nobody. */
function outsideUrls(text: string, change: (part: string) => string): string {
  const parts = text.split(URL);
  return parts
    .map((part, index) => (index % 2 === 0 ? change(part) : part.replace(NAME_SIGN, '%40')))
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
