import type { Attachment } from './attachments.js';

/** Tells the username of an existing user id. */
export type UsernameOf = (id: string) => string | undefined;

/**
 * Slack markup in messages becomes ours, by docs/contract/incoming-webhooks.md#text. Every pattern is linear in hostile
 * input: no two places where one can begin compete for the same characters.
 */
const ANNOUNCEMENT = /<!(channel|here|all)>/g;
const USER_MENTION = /<@([A-Za-z0-9]+)>/g;
const USER_ID_LENGTH = 26;
/** How many different users one message can name by their ids; more stay as they are written. */
const MAX_USER_IDS = 200;
// Targets beginning with `!` are Slack's dates and groups, which stay as they are
// (docs/contract/incoming-webhooks.md#text).
const STRICT_LINK = /<(?!!)([^\n<|>]+)\|([^\n|>]+)>/g;
const LOOSE_LINK = /<(?!!)([^<|>]+)\|([^>]+)>/g;

/** A message text in our markup. */
export function convertText(text: string, users: UsernameOf): string {
  if (!text.includes('<')) {
    return text;
  }
  return convertMentions(text, users).replace(STRICT_LINK, '[$2]($1)');
}

/** An attachment's text, pretext or field value in our markup: links may span lines there. */
export function convertAttachmentText(text: string, users: UsernameOf): string {
  if (!text.includes('<')) {
    return text;
  }
  const converted = convertMentions(text, users);
  // A label runs to the next `>`; looking only where one follows keeps `<a|<a|<a|…` linear.
  const end = converted.lastIndexOf('>') + 1;
  return converted.slice(0, end).replace(LOOSE_LINK, '[$2]($1)') + converted.slice(end);
}

/**
 * Copies of the attachments with their texts converted, each field by its rule
 * (docs/contract/incoming-webhooks.md#attachments).
 */
export function convertAttachments(attachments: readonly Attachment[], users: UsernameOf): Attachment[] {
  return attachments.map((attachment) => ({
    ...attachment,
    pretext: convertAttachmentText(attachment.pretext, users),
    text: convertAttachmentText(attachment.text, users),
    title: convertMentions(attachment.title, users),
    fields:
      attachment.fields?.map((field) => ({
        ...field,
        value: field.value === null ? null : convertAttachmentText(field.value, users),
      })) ?? null,
  }));
}

/** The user ids that a conversion of these texts will ask for, each once, up to a limit. */
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
  if (!text.includes('<@')) {
    return;
  }
  for (const [, id] of text.matchAll(USER_MENTION)) {
    if (ids.size === MAX_USER_IDS) {
      return;
    }
    if (id?.length === USER_ID_LENGTH) {
      ids.add(id);
    }
  }
}

function convertMentions(text: string, users: UsernameOf): string {
  if (!text.includes('<')) {
    return text;
  }
  return text.replace(ANNOUNCEMENT, '@$1').replace(USER_MENTION, (mention, id: string) => {
    const username = users(id);
    return username === undefined ? mention : `@${username}`;
  });
}
