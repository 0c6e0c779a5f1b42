import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { propsTooLong } from '../posts.rules.js';
import { type Attachment, AttachmentError, normaliseAttachments } from './attachments.js';
import { PropsTooLarge } from './growth.js';

/** Props that only the server may set; what a client sends under these names is dropped. */
const RESERVED = ['add_channel_member', 'force_notification', 'previewed_post', 'channel_mentions'];
/** Props that tell where a post came from; an edit cannot take them away. */
const ORIGIN = ['from_webhook', 'from_bot', 'from_oauth_app', 'from_plugin'];

/** The attachments among stored props; none when there are none. */
export function attachmentsOf(props: JsonObject): readonly Attachment[] {
  return Array.isArray(props['attachments']) ? (props['attachments'] as Attachment[]) : [];
}

/**
 * What a client sent as props, as it is stored: without the server's own, attachments in one shape. Throws
 * InvalidBodyParam naming the path of an attachment's field that cannot be used, ValidationFailed when they are too long.
 */
export function acceptedProps(sent: JsonObject): JsonObject {
  const { attachments: raw, ...props } = sent;
  for (const name of RESERVED) delete props[name];
  const attachments = acceptedAttachments(raw);
  return attachments ? { ...props, attachments } : props;
}

/** The accepted props of an edit: those that tell the origin stay as they were. */
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
    throw new InvalidBodyParam(`props.${error.path}`, error.message.slice(error.path.length + 1));
  }
}
