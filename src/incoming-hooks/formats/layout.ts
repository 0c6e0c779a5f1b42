import { createHash } from 'node:crypto';
import { literalBlock, literalText, NO_MARKUP } from '../../messaging/posts/content/literal-text.js';
import { markdownLink } from '../../messaging/posts/content/slack-text.js';
import type { JsonObject } from '../../platform/common/json.js';
import { runeLength, sliceRunes } from '../../platform/common/utf8.js';
import { visible } from '../../platform/common/visible.js';
import type { OnKey } from '../payload/payload-decoder.js';

/** What a format makes of a call: a message in the shape of a payload, or the reason why none is posted. */
export type Formatted =
  | { readonly message: JsonObject; readonly key?: string; readonly onKey?: OnKey }
  | { readonly ignored: string };

/** The colours of attachments. */
export const COLOR = {
  good: '#2da44e',
  bad: '#cf222e',
  warning: '#d4a72c',
  info: '#0969da',
  merged: '#8250df',
  neutral: '#8c959f',
} as const;

/** What a message says, before it is laid out. Strings are literal text of the sender. */
export interface Report {
  readonly text: Markdown;
  readonly color?: string;
  /** Shown below the text. */
  readonly details?: string | Markdown;
  /** Fields without a value are omitted. */
  readonly fields?: ReadonlyArray<readonly [title: string, value: unknown]>;
  readonly picture?: string;
  readonly key?: string;
  readonly onKey?: OnKey;
}

/** Text that is Markdown already and contains nothing unescaped from the sender. */
export class Markdown {
  constructor(readonly source: string) {}
}

const MAX_INLINE = 250;
const MAX_DETAILS = 2_000;
const MAX_FIELDS = 25;
const MAX_SHORT_VALUE = 40;
const MAX_URL_LENGTH = 2_000;
const MAX_KEY_LENGTH = 190;
const GAP = '\u200b';

/** Lays a report out as a message with at most one attachment. */
export function report({ text, color, details = '', fields = [], picture, key, onKey }: Report): Formatted {
  const shown = fields
    .map(([title, value]) => ({ title: plain(title), value: inline(value, 2 * MAX_INLINE) }))
    .filter(({ value }) => value !== '')
    .slice(0, MAX_FIELDS)
    .map((field) => ({ ...field, short: runeLength(field.value) <= MAX_SHORT_VALUE }));
  const below = details instanceof Markdown ? details.source : literal(details, MAX_DETAILS);
  const attachment = {
    ...(color !== undefined && { color }),
    ...(below !== '' && { text: below }),
    ...(shown.length > 0 && { fields: shown }),
    ...(isWebUrl(picture) && { image_url: picture }),
  };
  const hasContent = Object.keys(attachment).some((name) => name !== 'color');
  return {
    message: { text: text.source, ...(hasContent && { attachments: [attachment] }) },
    ...(key !== undefined && { key }),
    ...(onKey !== undefined && { onKey }),
  };
}

/** A line of Markdown. Values that are not Markdown are inserted as literal text on one line. */
export function md(parts: TemplateStringsArray, ...values: readonly unknown[]): Markdown {
  return new Markdown(parts.map((part, index) => part + inline(values[index])).join(''));
}

/** A text after a dash, if there is one. */
export function after(text: string): Markdown {
  return new Markdown(text === '' ? '' : ` – ${inline(text)}`);
}

/** Lines below each other, without the empty ones. */
export function lines(all: readonly Markdown[]): Markdown {
  return new Markdown(
    all
      .map(({ source }) => source)
      .filter((line) => line !== '')
      .join('\n'),
  );
}

/** A link with a literal label; only the label if the URL is not http or https. */
export function link(label: unknown, url: unknown): Markdown {
  // Markup in a URL would not be escaped, and could end the label.
  const text = shortened(oneLine(label, MAX_INLINE), MAX_INLINE).replaceAll('://', `:${GAP}//`);
  if (!isWebUrl(url)) return md`${text}`;
  const target = url.replace(/[@`|]/g, encodeURIComponent);
  return new Markdown(markdownLink(literalText(text === '' ? 'link' : text), target));
}

/** A block of code. */
export function codeBlock(text: string): Markdown {
  return new Markdown(text === '' ? '' : literalBlock(shortened(withoutNul(text), MAX_DETAILS)));
}

/** Markdown of the sender that mentions nobody and links only to http and https addresses. */
export function harmlessMarkdown(text: string, max = MAX_DETAILS): Markdown {
  const safe = shortened(withoutNul(text).trim(), max)
    .replace(/\]\((?!https?:\/\/)/gi, `]${GAP}(`)
    .replaceAll(']:', `]${GAP}:`)
    .replace(/<(?!https?:\/\/)/gi, `<${GAP}`)
    .replace(/https?:\/\/[^\s<>)]+|@/gi, (found) =>
      found === '@' ? `@${GAP}` : found.replaceAll('@', '%40'),
    );
  return new Markdown(safe.replaceAll('<', `${NO_MARKUP}<`));
}

/** Literal text on several lines. */
export function literal(text: string, max: number): string {
  return literalText(shortened(withoutNul(text).trim(), max));
}

/** The first line of a text. */
export function firstLine(text: string): string {
  return /^\s*([^\r\n]*)/.exec(text)?.[1] ?? '';
}

/** Returns `1 commit` or `2 commits`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A key of at most 190 characters. A longer one is replaced with its hash. */
export function keyOf(text: string): string {
  return runeLength(text) <= MAX_KEY_LENGTH ? text : createHash('sha256').update(text).digest('hex');
}

/** Whether a value is a web address. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_URL_LENGTH && /^https?:\/\/[^\s\0]+$/i.test(value);
}

function inline(value: unknown, max = MAX_INLINE): string {
  return value instanceof Markdown ? value.source : literalText(oneLine(value, max));
}

/** Text where clients expect no Markdown. */
function plain(value: unknown): string {
  return oneLine(value, MAX_INLINE).replaceAll('@', `@${GAP}`);
}

function oneLine(value: unknown, max: number): string {
  const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isShown ? shortened(visible(String(value).slice(0, 4 * max)), max) : '';
}

function withoutNul(text: string): string {
  return text.replaceAll(NO_MARKUP, '');
}

/** Returns at most `max` code points, the last of which is an ellipsis if the text is longer. */
function shortened(text: string, max: number): string {
  return runeLength(text) <= max ? text : `${sliceRunes(text, 0, max - 1).trimEnd()}…`;
}
