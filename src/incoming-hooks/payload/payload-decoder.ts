import {
  foldKeys,
  JsonDecodeError,
  type JsonObject,
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
  objectField,
  readWebhookMessage,
  textField,
  WebhookMessageError,
} from '../../messaging/posts/webhook/webhook-message.js';
import { formPayload } from './form-payload.js';
import type { IncomingPayload } from './incoming-payload.js';
import { decodeLenientJson } from './lenient-json.js';
import { type Part, readParts } from './multipart-parts.js';
import { PayloadError } from './payload-error.js';

const SEND_AS_JSON = 'To send JSON, add the header Content-Type: application/json';
const SEND_A_FORM =
  'A form has JSON in its field payload, as in curl --data-urlencode \'payload={"text":"Hello"}\'.';
const SEND_AN_OBJECT =
  'Send a JSON object such as {"text":"Hello"}, with quotes in it as \\" and line breaks as \\n.';
const WITHOUT_NUL = 'Send the text without it.';

/** The parts of a request that hold its payload. */
export interface PayloadInput {
  readonly contentType?: string | undefined;
  readonly body: Buffer;
  /** The decoded query parameter `payload`, used if the form field is missing. */
  readonly queryPayload?: string | undefined;
}

/**
 * Decodes the body of `POST /hooks/{id}` by its media type (docs/contract/incoming-webhooks.md#media-types). Only
 * multipart bodies are decoded asynchronously. Throws PayloadError.
 */
export function decodePayload(input: PayloadInput): IncomingPayload | Promise<IncomingPayload> {
  const media = withMediaTypeErrors(() => parseMediaType(input.contentType));
  switch (media?.type) {
    case 'application/x-www-form-urlencoded':
      return payloadOf(documentOf(formText(input, media)));
    case 'multipart/form-data':
      return readParts(input.body, media.parameters.get('boundary')).then((parts) =>
        payloadOf(documentOfParts(parts)),
      );
    default:
      return payloadOf(documentOf(bodyText(input.body, media)));
  }
}

/** The payload field of each part, by lower-case name. The last four contain JSON. */
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
  ['attachments', 'attachments'],
  ['props', 'props'],
  ['priority', 'priority'],
  ['payload', 'payload'],
]);
const PART_NAMES = [...PART_FIELDS.keys()].join(', ');
const JSON_PARTS: ReadonlySet<string> = new Set(['attachments', 'props', 'priority', 'payload']);

function bodyText(body: Buffer, media: MediaType | undefined): string {
  return withMediaTypeErrors(() => decodeText(body, media?.parameters.get('charset')));
}

function formText({ body, queryPayload }: PayloadInput, media: MediaType): string {
  const field = formPayload(body);
  const text = field && field.length > 0 ? bodyText(field, media) : queryPayload;
  if (!text) {
    throw refused('payload is missing', isLikeJson(body) ? SEND_AS_JSON : SEND_A_FORM);
  }
  return text;
}

/** Whether bytes that came as a form are JSON, which is what curl -d makes of them without a header. */
function isLikeJson(body: Buffer): boolean {
  return /^\s*[[{"]/.test(body.toString('latin1', 0, 1024));
}

/** The parts as one JSON document: the part `payload`, if any, overridden by the other parts. */
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

function documentOf(text: string, where = ''): unknown {
  try {
    return decodeLenientJson(text);
  } catch (error) {
    throw error instanceof JsonDecodeError ? refused(where + error.message, remedyFor(error, text)) : error;
  }
}

function remedyFor(error: JsonDecodeError, text: string): string {
  if (error instanceof NulCharacterError) return WITHOUT_NUL;
  if (error instanceof JsonTooDeepError) return 'Nest the objects less deeply.';
  if (/^payload=/.test(text))
    return 'To send a form, add the header Content-Type: application/x-www-form-urlencoded.';
  return SEND_AN_OBJECT;
}

function payloadOf(document: unknown): IncomingPayload {
  return withMessageErrors(() => {
    const fields = foldKeys(objectField(document, 'the payload'));
    return { ...readWebhookMessage(fields), channel: textField(fields, 'channel') };
  });
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
