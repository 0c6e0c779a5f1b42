import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { propsTooLong } from '../posts.rules.js';
import { AttachmentError } from './attachment-shape.js';
import { type Attachment, normaliseAttachments } from './attachments.js';
import { PropsTooLarge } from './growth.js';

/** Props that only the server may set; those of a client are dropped. */
const RESERVED = ['add_channel_member', 'force_notification', 'previewed_post', 'channel_mentions'];
/** Props that say where a post came from; an edit cannot change them. */
const ORIGIN = ['from_webhook', 'from_bot', 'from_oauth_app', 'from_plugin'];

/** The attachments of a stored post. */
export function attachmentsOf(props: JsonObject): readonly Attachment[] {
  return Array.isArray(props['attachments']) ? (props['attachments'] as Attachment[]) : [];
}

/**
 * The props of a client as they are stored: without reserved ones, and with normalised attachments. Throws
 * InvalidBodyParam with the path of an invalid attachment field, or ValidationFailed if they are too large.
 */
export function acceptedProps(sent: JsonObject): JsonObject {
  const { attachments: raw, ...props } = sent;
  for (const name of RESERVED) delete props[name];
  const attachments = acceptedAttachments(raw);
  return attachments ? { ...props, attachments } : props;
}

/** Like acceptedProps, for an edit: the props that say where the post came from stay. */
export function editedProps(sent: JsonObject, before: JsonObject): JsonObject {
  const props = acceptedProps(sent);
  for (const name of ORIGIN) if (before[name] !== undefined) props[name] = before[name];
  return props;
}

function acceptedAttachments(raw: unknown): Attachment[] | undefined {
  try {
    return normaliseAttachments(raw);
  } catch (error) {
    if (error instanceof PropsTooLarge) throw propsTooLong();
    if (!(error instanceof AttachmentError)) throw error;
    throw new InvalidBodyParam(`props.${error.path}`, `must be ${error.expectation}`);
  }
}
