import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { sliceRunes } from '../../../platform/common/utf8.js';
import { visible } from '../../../platform/common/visible.js';
import type { User } from '../../users/user.entity.js';
import { propsTooLong } from '../posts.rules.js';
import { type Attachment, AttachmentError, normaliseAttachments } from './attachments.js';
import { convertAttachments, PropsTooLarge } from './slack-text.js';
import { withBlocks } from '../webhook/webhook-message.js';

const RESERVED = new Set([
  'add_channel_member',
  'force_notification',
  'previewed_post',
  'channel_mentions',
  // When copied key by key, these change the prototype of the copy.
  '__proto__',
  'constructor',
  'prototype',
]);
/** Props that identify the sender of a post, such as `from_webhook` and `override_username`. */
const SENDER = /^(?:from|override|webhook)_/i;
const MAX_NAME_RUNES = 64;

/** Returns the attachments of a stored post. */
export function attachmentsOf(props: JsonObject): readonly Attachment[] {
  return Array.isArray(props['attachments']) ? (props['attachments'] as Attachment[]) : [];
}

/** Removes the props that only the server may set (docs/contract/messaging.md#create-a-post). */
export function unreservedProps(sent: JsonObject): JsonObject {
  const props = { ...sent };
  for (const name of Object.keys(props)) if (RESERVED.has(name) || SENDER.test(name)) delete props[name];
  return props;
}

/**
 * Converts a client's props for storage: removes reserved props and normalizes attachments. Throws
 * InvalidBodyParam with the path of an invalid attachment field, or ValidationFailed if they are too large.
 */
export function acceptedProps(sent: JsonObject): JsonObject {
  const { attachments: raw, ...props } = unreservedProps(sent);
  const attachments = acceptedAttachments(raw);
  return attachments ? { ...props, attachments } : props;
}

/** Like acceptedProps, for an edit: keeps the props that identify the sender. */
export function editedProps(sent: JsonObject, before: JsonObject): JsonObject {
  return { ...acceptedProps(sent), ...propsOfSender(before) };
}

/** Returns the props that identify the sender. */
export function propsOfSender(props: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(props).filter(([name]) => SENDER.test(name)));
}

/** Props that describe the author's account type. */
export const propsOfAuthor = (author: Pick<User, 'isBot'> | null): JsonObject =>
  author?.isBot ? { from_bot: 'true' } : {};

/**
 * Like acceptedProps, for a post from another server: the post may be marked as sent by a webhook, under a
 * name that ends with the connection name, like the usernames of its accounts.
 */
export function remoteProps(sent: JsonObject, connection: string): JsonObject {
  const { from_webhook: fromWebhook, override_username: name } = sent;
  const props = acceptedProps(sent);
  if (fromWebhook !== 'true') return props;
  props['from_webhook'] = 'true';
  const shown = typeof name === 'string' ? visible(sliceRunes(name, 0, MAX_NAME_RUNES)) : '';
  if (shown !== '') props['override_username'] = `${shown}:${connection}`;
  return props;
}

function acceptedAttachments(raw: unknown): Attachment[] | undefined {
  try {
    const { attachments } = withBlocks('', { attachments: raw });
    const normalised = normaliseAttachments(attachments);
    return normalised && attachments !== raw ? convertAttachments(normalised, () => undefined) : normalised;
  } catch (error) {
    if (error instanceof PropsTooLarge) throw propsTooLong();
    if (!(error instanceof AttachmentError)) throw error;
    throw new InvalidBodyParam(`props.${error.path}`, `must be ${error.expectation}`);
  }
}
