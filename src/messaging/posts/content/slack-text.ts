import type { Attachment } from './attachments.js';
import { changeOutsideCode, codeTest } from './code-ranges.js';
import { NO_MARKUP } from './literal-text.js';
import { markdownLink } from './markdown-link.js';

/** Returns the username of a user id; undefined if unknown. */
export type UsernameOf = (id: string) => string | undefined;

/*
 * Every pattern runs in linear time on hostile input: two possible matches never scan the same characters.
 */
const MENTION = /(?<!\0)<(?:!([a-z]+)(\^[^\n<|>]*)?|@([A-Za-z0-9]+))(?:\|([^\n<>]*))?>/g;
/** What Slack's announcements are called here. */
const ANNOUNCEMENTS: ReadonlyMap<string | undefined, string> = new Map([
  ['all', 'all'],
  ['channel', 'channel'],
  ['everyone', 'all'],
  ['group', 'channel'],
  ['here', 'here'],
]);
/** Further commands of Slack that have an argument and a label. */
const LABELLED: ReadonlySet<string | undefined> = new Set(['date', 'subteam']);
const USER_ID_LENGTH = 26;
/** The most users that one message can mention by id; further mentions are not converted. */
const MAX_USER_IDS = 200;
/** A link ends with the first `>` and does not span lines, so there is one at most between two of these. */
const END_OF_LINK = /(?<=[>\n])/;
const START_OF_LINK = /(?<!\0)<([^<|>]+)\|/g;
/**
 * What a link may lead to: an address, or a channel of Slack. Of schemes without `//` only well-known
 * ones count, so that `std::map<ns::Key|int>` is none.
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

/** Converts the link that a text ends with, if it does. */
function convertLink(text: string, isCode: (at: number) => boolean): string {
  if (isCode(text.length - 1)) return text;
  for (const { 0: opening, 1: target = '', index } of text.matchAll(START_OF_LINK)) {
    const label = text.slice(index + opening.length, -1);
    if (label !== '' && isAddress(target) && !isCode(index))
      return text.slice(0, index) + markdownLink(escapedLabel(label), target);
  }
  return text;
}

/** A label in which brackets, and a backslash at the end, do not end the link early. */
function escapedLabel(label: string): string {
  return changeOutsideCode(label, (part) =>
    part.replace(/\\[^]|[[\]\\]/g, (found) => (found.length === 2 ? found : `\\${found}`)),
  );
}

/** Copies the attachments and converts each field by its rule (docs/contract/incoming-webhooks.md#attachments). */
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

/** The user ids that converting these texts will look up, without duplicates and up to a limit. */
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

/** Replaces announcements, mentions of users by id, and groups and dates that have a label. */
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

/** Removes the marks of literal texts. */
function withoutMarks(text: string): string {
  return text.replaceAll(NO_MARKUP, '');
}

function isAddress(target: string): boolean {
  return ADDRESS.test(target) && !/[\s`]/.test(target);
}
