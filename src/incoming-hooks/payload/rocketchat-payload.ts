import { queryText } from '../../platform/common/dto/params.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import {
  bodyText,
  decodeFields,
  documentOf,
  type IncomingPayload,
  mediaTypeOf,
  payloadFrom,
  type PayloadInput,
} from './payload-decoder.js';
import { formPayload } from './payload-forms.js';

const FORM = 'application/x-www-form-urlencoded';

/** What each field means here. The first name that has a value counts. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text', 'msg']],
  ['username', ['username', 'alias']],
  ['icon_url', ['icon_url', 'avatar']],
  ['icon_emoji', ['icon_emoji', 'emoji']],
  ['channel', ['channel', 'roomid']],
  ['thread_ts', ['thread_ts', 'tmid']],
]);
/** The fields that a GET may have in its query. Others are not read, because they may be secrets. */
const IN_QUERY = [...[...NAMES.values()].flat(), 'roomId', 'attachments'];

/** What the URL of a call has of its payload: `payload`, or for a GET its fields as JSON. Undefined if nothing. */
export function queryPayloadOf(request: HttpRequest): string | undefined {
  const payload = queryText(request, 'payload');
  if (payload !== undefined || request.method !== 'GET') return payload;
  const fields = IN_QUERY.map((name) => [name, queryText(request, name)] as const);
  const sent = fields.filter(([, value]) => value !== undefined);
  return sent.length === 0 ? undefined : JSON.stringify(Object.fromEntries(sent));
}

/**
 * Decodes a call of a webhook with a path of Rocket.Chat, which has its own names for some fields
 * (docs/contract/incoming-webhooks.md#rocketchat-paths). Throws PayloadError.
 */
export async function decodeRocketChat(call: PayloadInput): Promise<IncomingPayload> {
  const fields = await fieldsOf(call);
  if (Object.keys(fields).length === 0) return { ...payloadFrom({}), ignored: 'the call is empty' };
  return payloadFrom(renamed(fields), call.headers);
}

function fieldsOf(call: PayloadInput): JsonObject | Promise<JsonObject> {
  const { body, contentType, queryPayload } = call;
  if (body.length === 0) return decodeFields({ body: Buffer.from(queryPayload || '{}') });
  const media = mediaTypeOf(contentType);
  if (media?.type !== FORM || formPayload(body) || queryPayload) return decodeFields(call);
  const text = bodyText(body, media);
  const isJson = text.trimStart().startsWith('{'); // as sent by `curl -d` without a Content-Type header
  return decodeFields({
    body: isJson ? body : Buffer.from(JSON.stringify(Object.fromEntries(new URLSearchParams(text)))),
  });
}

/** The fields with the names of this server. A picture precedes an emoji, unlike here. */
function renamed(fields: JsonObject): JsonObject {
  const result: JsonObject = { ...fields, attachments: attachmentsOf(fields['attachments']) };
  for (const [name, names] of NAMES) result[name] = names.map((each) => fields[each]).find(isSent);
  if (isSent(result['icon_url'])) delete result['icon_emoji'];
  if (Array.isArray(result['channel'])) result['channel'] = result['channel'].join(',');
  return result;
}

const isSent = (value: unknown): boolean => (value ?? '') !== '';

/** Attachments that are no list are ignored. Those of forms and queries are JSON. */
function attachmentsOf(sent: unknown): unknown {
  const attachments = typeof sent === 'string' && sent !== '' ? documentOf(sent, 'attachments: ') : sent;
  if (!Array.isArray(attachments)) return undefined;
  return attachments.map((attachment: unknown) =>
    isJsonObject(attachment) && isSent(attachment['msg'])
      ? { ...attachment, text: attachment['msg'] }
      : attachment,
  );
}
