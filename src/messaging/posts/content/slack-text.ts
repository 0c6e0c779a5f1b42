import type { Attachment } from './attachments.js';
import { linkUrl } from './safe-url.js';

/** Returns the username of a user id; undefined if unknown. */
export type UsernameOf = (id: string) => string | undefined;

/**
 * Converts Slack markup to ours (docs/contract/incoming-webhooks.md#text). Every pattern runs in linear time on hostile
 * input: two possible matches never scan the same characters.
 */
const ANNOUNCEMENT = /<!(channel|here|all)>/g;
const USER_MENTION = /<@([A-Za-z0-9]+)>/g;
const USER_ID_LENGTH = 26;
/** The most users that one message can mention by id; further mentions are not converted. */
const MAX_USER_IDS = 200;
// Also for Slack's groups and dates, as `<!subteam^S1|@team>`, whose labels people can read.
const STRICT_LINK = /<([^\n<|>]+)\|([^\n|>]+)>/g;
const LOOSE_LINK = /<([^<|>]+)\|([^>]+)>/g;

/** Converts the text of a message. */
export function convertText(text: string, users: UsernameOf): string {
  return convertMentions(text, users).replace(STRICT_LINK, markdownLink);
}

/** Converts an attachment's text, pretext or field value; there, links may span lines. */
export function convertAttachmentText(text: string, users: UsernameOf): string {
  const converted = convertMentions(text, users);
  // A label ends at the next `>`. Text after the last `>` is skipped, which keeps `<a|<a|<a|…` linear.
  const end = converted.lastIndexOf('>') + 1;
  return converted.slice(0, end).replace(LOOSE_LINK, markdownLink) + converted.slice(end);
}

/** Copies the attachments and converts each field by its rule (docs/contract/incoming-webhooks.md#attachments). */
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
  for (const { 0: mention } of text.matchAll(USER_MENTION)) {
    if (ids.size === MAX_USER_IDS) {
      return;
    }
    const id = mention.slice('<@'.length, -1);
    if (id.length === USER_ID_LENGTH) {
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

/** Without its target if that must not be followed. */
function markdownLink(_link: string, target: string, label: string): string {
  return linkUrl(target) === '' ? label : `[${label}](${target})`;
}
