import {
  decodeJson,
  endOfString,
  foldKeys,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
} from '../../../platform/common/json.js';
import { literalText } from '../content/literal-text.js';
import { readSlackBlocks, textOfBlocks, unknownBlockTypes } from './slack-blocks.js';
import { AttachmentError, checkedAttachments, type SentAttachments } from '../content/attachments.js';

/** Attachment fields that clients show even without text. */
const VISIBLE = ['pretext', 'author_name', 'title', 'fields', 'image_url', 'thumb_url', 'footer', 'actions'];
const SILENT = '(This message has blocks that have no text.)';

interface Shown {
  readonly text: string;
  /** As sent. */
  readonly attachments: unknown;
  readonly notUnderstood: number;
  /** The types of unsupported blocks, if there is nothing else to show. */
  readonly unknownBlocks?: readonly string[];
}

/**
 * Converts the blocks of a message to text and attachments (docs/contract/incoming-webhooks.md#blocks). Costs
 * nothing if none.
 */
export function withBlocks(text: string, fields: JsonObject): Shown {
  const { blocks, attachments, props } = fields;
  let shown: Shown = { text, attachments, notUnderstood: 0 };
  if (Array.isArray(attachments) && attachments.some(hasOnlyBlocks))
    shown = withThoseOfAttachments(shown, attachments);
  if (Array.isArray(blocks)) shown = withSlackBlocks(shown, blocks);
  const inProps = isJsonObject(props) ? props['mm_blocks'] : undefined;
  if (Array.isArray(inProps) && inProps.length > 0 && shown.text === '')
    return { ...shown, text: textOfBlocks(inProps) || SILENT };
  const isSilent = shown.notUnderstood > 0 && shown.text === '' && !hasItems(shown.attachments);
  return isSilent
    ? { ...shown, unknownBlocks: unknownBlockTypes([blocks, attachments].flatMap(blocksOf)) }
    : shown;
}

function hasItems(attachments: unknown): boolean {
  return Array.isArray(attachments) && attachments.some((item) => item !== null);
}

/** Returns the blocks of a message or its attachments. */
function blocksOf(parts: unknown): unknown[] {
  const list: unknown[] = Array.isArray(parts) ? parts : [];
  return list.flatMap((part) => (hasOnlyBlocks(part) ? part.blocks : [part]));
}

/** Keeps the message's own text, if any, and shows the blocks below it. */
function withSlackBlocks({ text, attachments, notUnderstood }: Shown, blocks: readonly unknown[]): Shown {
  const read = readSlackBlocks(blocks);
  const isNew = text !== '' && read.text !== '' && ![text, literalText(text)].includes(read.text);
  const added = [...(isNew ? [{ text: read.text }] : []), ...read.pictures];
  return {
    text: text === '' ? read.text : text,
    attachments: added.length === 0 ? attachments : withAdded(attachments, added),
    notUnderstood: notUnderstood + read.notUnderstood,
  };
}

function withThoseOfAttachments(shown: Shown, attachments: readonly unknown[]): Shown {
  let { notUnderstood } = shown;
  const shownAttachments = attachments.flatMap((attachment: unknown) => {
    if (!hasOnlyBlocks(attachment)) return [attachment];
    const { blocks, ...others } = attachment;
    const read = readSlackBlocks(blocks);
    notUnderstood += read.notUnderstood;
    const written =
      read.text === '' && !VISIBLE.some((name) => others[name]) ? [] : [{ ...others, text: read.text }];
    return [...written, ...read.pictures];
  });
  return { ...shown, attachments: shownAttachments, notUnderstood };
}

/** Leaves anything but a list unchanged; attachment validation rejects it later. */
function withAdded(attachments: unknown, added: readonly JsonObject[]): unknown {
  if (attachments === undefined || attachments === null) return added;
  return Array.isArray(attachments) ? [...(attachments as unknown[]), ...added] : attachments;
}

function hasOnlyBlocks(attachment: unknown): attachment is JsonObject & { blocks: readonly unknown[] } {
  return isJsonObject(attachment) && Array.isArray(attachment['blocks']) && !attachment['text'];
}

/**
 * A message sent to an incoming webhook or in the response to an outgoing webhook
 * (docs/contract/incoming-webhooks.md#payload).
 */
export interface WebhookMessage {
  /** Omitted texts are empty. */
  readonly text: string;
  readonly username: string;
  readonly iconUrl: string;
  readonly iconEmoji: string;
  readonly type: string;
  /** As sent, so that reading stays cheap before the webhook is known. Undefined if none. */
  readonly attachments: SentAttachments | undefined;
  readonly props: JsonObject | undefined;
  readonly priority?: WebhookPriority;
  /** Number of blocks that were not understood; absent if none. */
  readonly notUnderstood?: number;
  /** Block types, if the message has only blocks that are not understood. */
  readonly unknownBlocks?: readonly string[];
}

/** The priority as sent; stored and shown with these wire names. */
interface WebhookPriority {
  readonly priority?: string;
  readonly requested_ack?: boolean;
  readonly persistent_notifications?: boolean;
}

/** Thrown when the message is malformed. The text names the field, never its value. */
export class WebhookMessageError extends Error {
  override readonly name = 'WebhookMessageError';
}

/**
 * Reads a message from a JSON object with lowercase keys (foldKeys). `null` counts as omitted.
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

/** Returns the text of a field, or an empty string if it is omitted. Throws WebhookMessageError. */
export function textField(fields: JsonObject, name: string, where = ''): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  if (!isAbsent(value)) throw new WebhookMessageError(`${where}${name} must be a string`);
  return '';
}

/** Returns the value as an object. Throws WebhookMessageError. */
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

/** Keys whose values may have raw line breaks and tabs (docs/contract/incoming-webhooks.md#media-types). */
const LENIENT_KEYS = new Set(['text', 'fallback', 'pretext', 'author_name', 'title', 'value']);

/**
 * Decodes JSON leniently, in payloads and replies (docs/contract/incoming-webhooks.md#media-types): if it is
 * malformed, escapes raw newlines and tabs in the values of some keys and tries again. Carriage returns stay
 * invalid. Throws JsonDecodeError.
 */
export function decodeLenientJson(text: string): unknown {
  try {
    return decodeJson(text);
  } catch (error) {
    const repaired = error instanceof JsonSyntaxError ? escapeControls(text) : text;
    if (repaired === text) throw error;
    return decodeJson(repaired);
  }
}

function escapeControls(text: string): string {
  let result = '';
  let copied = 0;
  let open = text.indexOf('"');
  while (open !== -1) {
    const close = endOfString(text, open);
    if (close === -1) break;
    let next = close + 1;
    const value = stringAfterColon(text, next);
    if (value !== -1) {
      const end = endOfString(text, value);
      if (end === -1) break;
      if (LENIENT_KEYS.has(text.slice(open + 1, close).toLowerCase())) {
        result += text.slice(copied, value) + escaped(text.slice(value, end));
        copied = end;
      }
      next = end + 1;
    }
    open = text.indexOf('"', next);
  }
  return result + text.slice(copied);
}

const COLON_AND_QUOTE = /[ \t\r\n]*:[ \t\r\n]*"/y;

/** Returns the start of the string value of the key that ends before `at`, or -1. */
function stringAfterColon(text: string, at: number): number {
  COLON_AND_QUOTE.lastIndex = at;
  return COLON_AND_QUOTE.test(text) ? COLON_AND_QUOTE.lastIndex - 1 : -1;
}

/** Skips characters after a backslash, since escaping them would change their meaning. */
function escaped(value: string): string {
  return value.replace(/\\[^]|\n|\t/g, (found) => (found === '\n' ? '\\n' : found === '\t' ? '\\t' : found));
}
