import { foldKeys, isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { withBlocks } from './blocks.js';
import { AttachmentError, checkedAttachments, type SentAttachments } from '../content/attachment-shape.js';

/**
 * A message sent to an incoming webhook, or in the response to an outgoing one
 * (docs/contract/incoming-webhooks.md#payload).
 */
export interface WebhookMessage {
  /** Omitted texts are empty. */
  readonly text: string;
  readonly username: string;
  readonly iconUrl: string;
  readonly iconEmoji: string;
  readonly type: string;
  /** As sent, so that reading a message stays cheap while its webhook is not known; undefined when there are none. */
  readonly attachments: SentAttachments | undefined;
  readonly props: JsonObject | undefined;
  readonly priority?: WebhookPriority;
  /** How many blocks were not understood; absent if none. */
  readonly notUnderstood?: number;
  /** The types of its blocks, if it has only blocks that are not understood. */
  readonly unknownBlocks?: readonly string[];
}

/** The priority as it was sent; it is stored and shown with these wire names. */
export interface WebhookPriority {
  readonly priority?: string;
  readonly requested_ack?: boolean;
  readonly persistent_notifications?: boolean;
}

/** The message is malformed. The text names the field, never its value. */
export class WebhookMessageError extends Error {
  override readonly name = 'WebhookMessageError';
}

/**
 * Reads a message from a JSON object whose keys are in lower case (foldKeys). `null` counts as omitted.
 * @throws WebhookMessageError
 */
export function readWebhookMessage(fields: JsonObject): WebhookMessage {
  const priority = fields['priority'];
  const props = fields['props'];
  const { text, attachments, notUnderstood, unknownBlocks } = withBlocks(textField(fields, 'text'), fields);
  return {
    text,
    username: textField(fields, 'username'),
    iconUrl: textField(fields, 'icon_url'),
    iconEmoji: textField(fields, 'icon_emoji'),
    type: textField(fields, 'type'),
    attachments: attachmentsOf(attachments),
    props: isAbsent(props) ? undefined : objectField(props, 'props'),
    ...(!isAbsent(priority) && { priority: priorityOf(priority) }),
    ...(notUnderstood > 0 && { notUnderstood }),
    ...(unknownBlocks && { unknownBlocks }),
  };
}

/**
 * The text of a field, or an empty one if it is omitted.
 * @throws WebhookMessageError
 */
export function textField(fields: JsonObject, name: string, where = ''): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  if (!isAbsent(value)) throw new WebhookMessageError(`${where}${name} must be a string`);
  return '';
}

/**
 * The value as an object.
 * @throws WebhookMessageError
 */
export function objectField(value: unknown, name: string): JsonObject {
  if (!isJsonObject(value)) throw new WebhookMessageError(`${name} must be an object`);
  return value;
}

function priorityOf(raw: unknown): WebhookPriority {
  const fields = foldKeys(objectField(raw, 'priority'));
  return {
    ...(!isAbsent(fields['priority']) && { priority: textField(fields, 'priority', 'priority.') }),
    ...(!isAbsent(fields['requested_ack']) && { requested_ack: flagField(fields, 'requested_ack') }),
    ...(!isAbsent(fields['persistent_notifications']) && {
      persistent_notifications: flagField(fields, 'persistent_notifications'),
    }),
  };
}

function attachmentsOf(raw: unknown): SentAttachments | undefined {
  try {
    return checkedAttachments(raw);
  } catch (error) {
    throw error instanceof AttachmentError ? new WebhookMessageError(error.message) : error;
  }
}

function flagField(fields: JsonObject, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw new WebhookMessageError(`priority.${name} must be true or false`);
  return value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
