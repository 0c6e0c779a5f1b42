import { find } from 'node-emoji';
import { textLinkUrl } from './safe-url.js';
import type { Attachment } from './attachments.js';
import { changeOutsideCode, codeTest } from './code-ranges.js';
import { NO_MARKUP } from './literal-text.js';

/** What would end a link early, start code, or mention somebody. */
const NOT_OF_A_URL = /[\s()<>\\`]|(?<![A-Za-z0-9_])@/g;

/** Returns a Markdown link, or only its label (also Markdown) if the URL is unsafe. */
export function markdownLink(label: string, url: string): string {
  return textLinkUrl(url) === '' ? label : `[${label}](${url.replace(NOT_OF_A_URL, percentEncoded)})`;
}

function percentEncoded(character: string): string {
  return character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character);
}

/** Returns the username of a user ID, or undefined if unknown. */
type UsernameOf = (id: string) => string | undefined;

/* Every pattern runs in linear time on hostile input: two possible matches never scan the same characters. */
const MENTION = /(?<!\0)<(?:!([a-z]+)(\^[^\n<|>]*)?|@([A-Za-z0-9]+))(?:\|([^\n<>]*))?>/g;
/** Maps Slack's announcements to our names. */
const ANNOUNCEMENTS: ReadonlyMap<string | undefined, string> = new Map([
  ['all', 'all'],
  ['channel', 'channel'],
  ['everyone', 'all'],
  ['group', 'channel'],
  ['here', 'here'],
]);
/** Other Slack commands with an argument and a label. */
const LABELLED: ReadonlySet<string | undefined> = new Set(['date', 'subteam']);
const USER_ID_LENGTH = 26;
/** Maximum number of users one message can mention by ID; further mentions are not converted. */
const MAX_USER_IDS = 200;
/** A link ends at the first `>` and stays on one line, so each part between these contains at most one. */
const END_OF_LINK = /(?<=[>\n])/;
const START_OF_LINK = /(?<!\0)<([^<|>]+)\|/g;
/**
 * Valid link targets: a URL or a Slack channel. Schemes without `//` must be well known, so that
 * `std::map<ns::Key|int>` is not treated as a link.
 */
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]*:\/\/\S|(?:https?|mailto|tel|sms|mattermost|javascript|vbscript|data|file|blob):\S|#\w)/i;

/** Converts Slack markup outside code to Markdown (docs/contract/incoming-webhooks.md#text). */
export function convertText(text: string, users: UsernameOf): string {
  if (!text.includes('<')) return text;
  const mentioning = replaceMentions(text, users);
  const isCode = codeTest(mentioning);
  let start = 0;
  const pieces = mentioning.split(END_OF_LINK).map((piece) => {
    const isCodeThere = (at: number): boolean => isCode(start + at);
    const converted = piece.endsWith('>') ? convertLink(piece, isCodeThere) : piece;
    start += piece.length;
    return converted;
  });
  return withoutMarks(pieces.join(''));
}

function convertLink(text: string, isCode: (at: number) => boolean): string {
  if (isCode(text.length - 1)) return text;
  for (const { 0: opening, 1: target = '', index } of text.matchAll(START_OF_LINK)) {
    const label = text.slice(index + opening.length, -1);
    if (label !== '' && isAddress(target) && !isCode(index))
      return text.slice(0, index) + markdownLink(escapedLabel(label), target);
  }
  return text;
}

/** Escapes brackets and a trailing backslash so that they do not end the link early. */
function escapedLabel(label: string): string {
  return changeOutsideCode(label, (part) =>
    part.replace(/\\[^]|[[\]\\]/g, (found) => (found.length === 2 ? found : `\\${found}`)),
  );
}

/** Copies the attachments and converts each field (docs/contract/incoming-webhooks.md#attachments). */
export function convertAttachments(attachments: readonly Attachment[], users: UsernameOf): Attachment[] {
  return attachments.map((attachment) => ({
    ...attachment,
    pretext: convertText(attachment.pretext, users),
    text: convertText(attachment.text, users),
    title: withoutMarks(replaceMentions(attachment.title, users)),
    fields:
      attachment.fields?.map((field) => ({
        ...field,
        value: field.value === null ? null : convertText(field.value, users),
      })) ?? null,
  }));
}

/** Returns the user IDs needed to convert these texts, without duplicates and up to a limit. */
export function mentionedUserIds(text: string, attachments: readonly Attachment[] = []): string[] {
  const ids = new Set<string>();
  collectIds(text, ids);
  for (const { pretext, text: body, title, fields } of attachments) {
    for (const part of [pretext, body, title, ...(fields ?? []).map(({ value }) => value ?? '')]) {
      collectIds(part, ids);
    }
  }
  return [...ids];
}

function collectIds(text: string, ids: Set<string>): void {
  if (!text.includes('<@')) return;
  const isCode = codeTest(text);
  for (const { 3: id = '', index } of text.matchAll(MENTION)) {
    if (ids.size === MAX_USER_IDS) return;
    if (id.length === USER_ID_LENGTH && !isCode(index)) ids.add(id);
  }
}

/** Replaces announcements, user mentions by ID, and groups and dates that have a label. */
function replaceMentions(text: string, users: UsernameOf): string {
  if (!text.includes('<')) return text;
  const isCode = codeTest(text);
  return text.replace(MENTION, (markup, command?: string, argument?: string, id?: string, ...rest) => {
    const [label, at] = rest as [string | undefined, number];
    if (isCode(at)) return markup;
    const announcement = argument === undefined ? ANNOUNCEMENTS.get(command) : undefined;
    const name = id === undefined ? announcement : users(id);
    if (name !== undefined) return `@${name}`;
    const isLabelShown = id !== undefined || (argument !== undefined && LABELLED.has(command));
    return (isLabelShown && label) || markup;
  });
}

function withoutMarks(text: string): string {
  return text.replaceAll(NO_MARKUP, '');
}

function isAddress(target: string): boolean {
  return ADDRESS.test(target) && !/[\s`]/.test(target);
}

const VARIATION_SELECTOR = 0xfe0f;

/**
 * Returns the image path of an emoji, given its name with or without colons, or undefined for an unknown name
 * (docs/contract/incoming-webhooks.md#post).
 */
export function emojiImagePath(name: string): string | undefined {
  const bare = name.replace(/^:|:$/g, '');
  if (!/^[A-Za-z0-9_+-]{1,64}$/.test(bare)) return undefined;
  const emoji = find(bare)?.emoji;
  if (emoji === undefined) return undefined;
  const codePoints = Array.from(emoji, (char) => char.codePointAt(0) ?? 0).filter(
    (code) => code !== VARIATION_SELECTOR,
  );
  return `/static/emoji/${codePoints.map((code) => code.toString(16).padStart(4, '0')).join('-')}.png`;
}

/** Maximum number of bytes processing may add to a message. */
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;

/** Thrown when the props are too large even after splitting the content into several posts. */
export class PropsTooLarge extends Error {
  override readonly name = 'PropsTooLarge';

  constructor() {
    super('the props are too large');
  }
}

/** Limits how much the server adds to a message before allocating it: an empty attachment grows 70-fold. */
export class Growth {
  private remaining = MAX_GROWTH_BYTES;

  /** @throws PropsTooLarge */
  add(bytes: number): void {
    this.remaining -= bytes;
    if (this.remaining < 0) throw new PropsTooLarge();
  }
}
