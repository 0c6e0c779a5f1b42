import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { KeptContent } from './kept-request.entity.js';

/** The bytes of a body that are kept. */
export const MAX_BODY_BYTES = 64 * 1024;

const SECRET = /auth|cookie|token|secret|signature|passw|credential|session|(?:^|-|api|access)key$/;
const NO_SECRET = 'idempotency-key';
/** Below a space, other than tab and line breaks: JSON would write each with six characters. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** The headers without those that may hold a secret, judged by their names. */
export function headersWithoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || (SECRET.test(name) && name !== NO_SECRET)) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
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
