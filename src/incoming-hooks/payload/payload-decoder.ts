import type { IncomingHttpHeaders } from 'node:http';
import {
  foldKeys,
  JsonDecodeError,
  type JsonObject,
  JsonSyntaxError,
  JsonTooDeepError,
  NulCharacterError,
} from '../../platform/common/json.js';
import {
  decodeText,
  type MediaType,
  MediaTypeError,
  parseMediaType,
} from '../../platform/common/media-type.js';
import {
  decodeLenientJson,
  objectField,
  readWebhookMessage,
  textField,
  type WebhookMessage,
  WebhookMessageError,
} from '../../messaging/posts/webhook/webhook-message.js';
import type { WebhookChange } from '../../messaging/posts/webhook/webhook-posts.service.js';
import { isId } from '../../platform/common/ids.js';
import { runeLength } from '../../platform/common/utf8.js';
import { formPayload, type Part, PayloadError, readParts } from './payload-forms.js';

const SEND_AS_JSON = 'To send JSON, add the header Content-Type: application/json';
const SEND_A_FORM =
  'A form has JSON in its field payload, such as curl --data-urlencode \'payload={"text":"Hello"}\'.';
const SEND_AN_OBJECT =
  'Send a JSON object such as {"text":"Hello"}, with quotes escaped as \\" and line breaks as \\n.';
const ENCODE_AMPERSANDS =
  'The form field payload ends at the first & that is not encoded: encode it, such as with curl --data-urlencode \'payload={"text":"a & b"}\'.';
const MAX_KEY_LENGTH = 190;
const WITHOUT_NUL = 'Send the text without it.';

export interface PayloadInput {
  readonly contentType?: string | undefined;
  readonly body: Buffer;
  /** The decoded query parameter `payload`, used if the form field is missing. */
  readonly queryPayload?: string | undefined;
  /** May have the key and what to do with it, unless the payload has them. */
  readonly headers?: IncomingHttpHeaders;
}

/**
 * Decodes the body of `POST /hooks/{id}` by media type (docs/contract/incoming-webhooks.md#media-types). Only
 * multipart bodies are decoded asynchronously. Throws PayloadError.
 */
export function decodePayload(input: PayloadInput): IncomingPayload | Promise<IncomingPayload> {
  const fields = decodeFields(input);
  return fields instanceof Promise
    ? fields.then((decoded) => payloadOf(decoded, input.headers))
    : payloadOf(fields, input.headers);
}

/** A payload that changes a posted message, and which fields it has. `null` counts as absent. */
export interface PayloadChange extends WebhookChange {
  readonly message: IncomingPayload;
}

/** Decodes the payload of a change (docs/contract/incoming-webhooks.md#messages). Throws PayloadError. */
export async function decodeChange(input: PayloadInput): Promise<PayloadChange> {
  const fields = await decodeFields(input);
  const message = payloadOf(fields);
  const hasBlocks = Array.isArray(fields['blocks']);
  const has = (name: string): boolean => hasBlocks || (fields[name] ?? null) !== null;
  return { message, hasText: has('text') || message.text !== '', hasAttachments: has('attachments') };
}

/** The fields of the payload, by lowercase name. Throws PayloadError. */
export function decodeFields(input: PayloadInput): JsonObject | Promise<JsonObject> {
  const media = mediaTypeOf(input.contentType);
  switch (media?.type) {
    case 'application/x-www-form-urlencoded':
      return fieldsOf(documentOfForm(input, media));
    case 'multipart/form-data':
      return readParts(input.body, media.parameters.get('boundary')).then((parts) =>
        fieldsOf(documentOfParts(parts)),
      );
    default:
      return fieldsOf(documentOf(bodyText(input.body, media)));
  }
}

/** Parses the Content-Type of a call. Throws PayloadError. */
export function mediaTypeOf(contentType: string | undefined): MediaType | undefined {
  return withMediaTypeErrors(() => parseMediaType(contentType));
}

/** The payload field of each part, by lowercase name. Those of JSON_PARTS contain JSON. */
const PART_FIELDS: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['username', 'username'],
  ['type', 'type'],
  ['channel', 'channel'],
  ['channelname', 'channel'],
  ['icon_url', 'icon_url'],
  ['iconurl', 'icon_url'],
  ['icon_emoji', 'icon_emoji'],
  ['iconemoji', 'icon_emoji'],
  ['root_id', 'root_id'],
  ['thread_ts', 'thread_ts'],
  ['key', 'key'],
  ['on_key', 'on_key'],
  ['silent', 'silent'],
  ['attachments', 'attachments'],
  ['props', 'props'],
  ['priority', 'priority'],
  ['payload', 'payload'],
]);
const PART_NAMES = [...PART_FIELDS.keys()].join(', ');
const JSON_PARTS: ReadonlySet<string> = new Set(['silent', 'attachments', 'props', 'priority', 'payload']);

/** Decodes the bytes of a body. Throws PayloadError. */
export function bodyText(body: Buffer, media: MediaType | undefined): string {
  return withMediaTypeErrors(() => decodeText(body, media?.parameters.get('charset')));
}

function documentOfForm({ body, queryPayload }: PayloadInput, media: MediaType): unknown {
  const field = formPayload(body);
  const isInBody = field !== undefined && field.bytes.length > 0;
  const text = isInBody ? bodyText(field.bytes, media) : queryPayload;
  if (!text) {
    throw refused('payload is missing', isLikeJson(body) ? SEND_AS_JSON : SEND_A_FORM);
  }
  return documentOf(text, '', isInBody && field.endsAtAmpersand ? ENCODE_AMPERSANDS : undefined);
}

/** Whether a form body is actually JSON, as sent by `curl -d` without a Content-Type header. */
function isLikeJson(body: Buffer): boolean {
  return /^\s*[[{"]/.test(body.toString('latin1', 0, 1024));
}

/** Merges the parts into one JSON document: the `payload` part, if any, overridden by the others. */
function documentOfParts(parts: readonly Part[]): JsonObject {
  const fields = new Map<string, unknown>();
  for (const [name, value] of parts) {
    const field = PART_FIELDS.get(name.toLowerCase());
    if (field === undefined) {
      throw refused(`unknown part ${JSON.stringify(name.slice(0, 100))}`, `The parts are ${PART_NAMES}.`);
    }
    if (!JSON_PARTS.has(field)) {
      fields.set(field, withoutNul(value, field));
    } else if (value.trim() !== '') {
      fields.set(field, documentOf(value, `${field}: `));
    }
  }
  const payload = fields.get('payload') ?? {};
  fields.delete('payload');
  return {
    ...foldKeys(withMessageErrors(() => objectField(payload, 'payload'))),
    ...Object.fromEntries(fields),
  };
}

function withoutNul(value: string, field: string): string {
  if (value.includes('\0')) {
    throw refused(`NUL character in ${field}`, WITHOUT_NUL);
  }
  return value;
}

/** Decodes JSON. `remedy` is for malformed JSON. Throws PayloadError. */
export function documentOf(text: string, where = '', remedy?: string): unknown {
  try {
    return decodeLenientJson(text);
  } catch (error) {
    if (!(error instanceof JsonDecodeError)) throw error;
    const isMalformed = error instanceof JsonSyntaxError;
    throw refused(where + error.message, (isMalformed ? remedy : undefined) ?? remedyFor(error, text));
  }
}

function remedyFor(error: JsonDecodeError, text: string): string {
  if (error instanceof NulCharacterError) return WITHOUT_NUL;
  if (error instanceof JsonTooDeepError) return 'Nest the objects less deeply.';
  if (/^payload=/.test(text))
    return 'To send a form, add the header Content-Type: application/x-www-form-urlencoded.';
  return SEND_AN_OBJECT;
}

/** Reads a payload that was decoded before; `headers` are those of its call. Throws PayloadError. */
export function payloadFrom(document: unknown, headers?: IncomingHttpHeaders): IncomingPayload {
  return payloadOf(fieldsOf(document), headers);
}

function fieldsOf(document: unknown): JsonObject {
  return withMessageErrors(() => foldKeys(objectField(document, 'the payload')));
}

function payloadOf(fields: JsonObject, headers: IncomingHttpHeaders = {}): IncomingPayload {
  return withMessageErrors(() => ({
    ...readWebhookMessage(fields),
    channel: textField(fields, 'channel').trim(),
    ...threadOf(fields),
    ...keyOf(fields, headers),
    ...silenceOf(fields),
  }));
}

/** Slack's `thread_ts` counts only if it is an ID of this server. Some senders send their timestamps as numbers. */
function threadOf(fields: JsonObject): Pick<IncomingPayload, 'rootId'> {
  const timestamp = typeof fields['thread_ts'] === 'number' ? '' : textField(fields, 'thread_ts');
  const rootId = textField(fields, 'root_id') || (isId(timestamp) ? timestamp : '');
  return rootId === '' ? {} : { rootId };
}

function keyOf(fields: JsonObject, headers: IncomingHttpHeaders): Pick<IncomingPayload, 'key' | 'onKey'> {
  const key = textField(fields, 'key') || String(headers['hookline-key'] ?? '');
  const wanted = textField(fields, 'on_key') || String(headers['hookline-on-key'] ?? '') || 'thread';
  const onKey = ON_KEY.find((one) => one === wanted);
  if (!onKey) throw new WebhookMessageError(`on_key must be one of ${ON_KEY.join(', ')}`);
  if (runeLength(key) > MAX_KEY_LENGTH)
    throw new WebhookMessageError(`key must have at most ${MAX_KEY_LENGTH} characters`);
  return key === '' ? {} : { key, onKey };
}

function silenceOf({ silent = null }: JsonObject): Pick<IncomingPayload, 'silent'> {
  if (silent === null) return {};
  if (typeof silent !== 'boolean') throw new WebhookMessageError('silent must be true or false');
  return { silent };
}

function withMessageErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof WebhookMessageError ? refused(error.message) : error;
  }
}

function withMediaTypeErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof MediaTypeError
      ? new PayloadError('web.incoming_webhook.media_type.app_error', error.message, SEND_AS_JSON)
      : error;
  }
}

function refused(detail: string, remedy = ''): PayloadError {
  return new PayloadError('model.incoming_hook.parse_data.app_error', detail, remedy);
}

/** A decoded payload of an incoming hook of any media type (docs/contract/incoming-webhooks.md#payload). */
export interface IncomingPayload extends WebhookMessage {
  readonly channel: string;
  /** Calls with the same key concern the same message (docs/contract/incoming-webhooks.md#keys). */
  readonly key?: string;
  /** What a later call with the same key does; `thread` if absent. */
  readonly onKey?: OnKey;
  /** The thread to post into. */
  readonly rootId?: string;
  /** Posts without mentions and notifications. */
  readonly silent?: boolean;
  /** Why the call posts nothing, if that is no error (docs/contract/incoming-webhooks.md#formats). */
  readonly ignored?: string;
}

export const ON_KEY = ['thread', 'update', 'resolve'] as const;
export type OnKey = (typeof ON_KEY)[number];
