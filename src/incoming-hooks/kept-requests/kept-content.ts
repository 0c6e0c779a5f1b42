import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { KeptContent } from './kept-request.entity.js';

/** The bytes of a body that are kept. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Others may hold a secret or the address of a caller, whatever their names say. */
const HARMLESS = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'idempotency-key',
  'traceparent',
  'transfer-encoding',
  'user-agent',
]);
/** What services say of the call: which event it is about, and which call it is. */
const OF_CALL =
  /^x-(?:.+-)?(?:event(?:-key|-type|-uuid)?|delivery|(?:hook|request|correlation)-(?:id|uuid))$/;
/** What proxies and clients send as a proof of who they are. */
const SECRET_VALUE = /^(?:bearer|basic|digest|negotiate) |^ey[\w-]+\.[\w-]+\.[\w-]*$/i;
/** Below a space, other than tab and line breaks: JSON would write each with six characters. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** The headers that are known to hold no secret; also of them none whose value plainly is one. */
export function headersWithoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !(HARMLESS.has(name) || OF_CALL.test(name))) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (!SECRET_VALUE.test(text)) kept[name] = text;
  }
  return kept;
}

/** The start of a body: as text if it is plain text, else as base64. */
export function startOfBody(
  body: Buffer,
): Pick<KeptContent, 'body' | 'encoding'> & { readonly isCut: boolean } {
  const isCut = body.length > MAX_BODY_BYTES;
  let end = Math.min(body.length, MAX_BODY_BYTES);
  // A character is not cut in two.
  if (isCut) while (end > MAX_BODY_BYTES - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  const start = body.subarray(0, end);
  const text = isUtf8(start) ? start.toString('utf8') : undefined;
  return text === undefined || CONTROL.test(text)
    ? { body: start.toString('base64'), encoding: 'base64', isCut }
    : { body: text, encoding: 'utf8', isCut };
}
