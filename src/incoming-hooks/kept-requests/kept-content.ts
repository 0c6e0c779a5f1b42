import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { KeptContent } from './kept-request.entity.js';

/** The bytes of a body that are kept. */
export const MAX_BODY_BYTES = 64 * 1024;

const SECRET =
  /auth|cookie|token|secret|signature|passw|credential|session|jwt|hmac|assertion|oidc|csrf|xsrf|saml|bearer|(?:^|-|api|access)key$|(?:^|-)(?:sig|pass|pat|pwd)(?:-|$)/;
/** What proxies and clients send as a proof of who they are, also where the name does not tell. */
const SECRET_VALUE = /^(?:bearer|basic|digest|negotiate) |^ey[\w-]+\.[\w-]+\.[\w-]*$/i;
const NO_SECRET = 'idempotency-key';
/** Below a space, other than tab and line breaks: JSON would write each with six characters. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** The headers without those that may hold a secret, judged by their names, and by what plainly is one. */
export function headersWithoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || (SECRET.test(name) && name !== NO_SECRET)) continue;
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
