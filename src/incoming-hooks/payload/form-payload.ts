import { PayloadError } from './payload-error.js';

const FIELD = 'payload=';
const AMPERSAND = 0x26;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** A decoded form field. */
export interface FormField {
  readonly bytes: Buffer;
  /** Whether more of the form follows. */
  readonly endsAtAmpersand: boolean;
}

/**
 * Returns the first `payload` field of a URL-encoded form (docs/contract/incoming-webhooks.md#media-types).
 */
export function formPayload(body: Buffer): FormField | undefined {
  for (let at = body.indexOf(FIELD); at !== -1; at = body.indexOf(FIELD, at + 1)) {
    if (at === 0 || body[at - 1] === AMPERSAND) {
      const start = at + FIELD.length;
      const end = body.indexOf(AMPERSAND, start);
      const endsAtAmpersand = end !== -1;
      return {
        bytes: percentDecoded(body.subarray(start, endsAtAmpersand ? end : body.length)),
        endsAtAmpersand,
      };
    }
  }
  return undefined;
}

function percentDecoded(bytes: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i] ?? 0;
    if (byte === PLUS) {
      byte = SPACE;
    } else if (byte === PERCENT) {
      byte = hexDigit(bytes[i + 1]) * 16 + hexDigit(bytes[i + 2]);
      i += 2;
    }
    decoded[length++] = byte;
  }
  return decoded.subarray(0, length);
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) {
    return byte - 0x30;
  }
  const lower = byte | 0x20;
  if (lower >= 0x61 && lower <= 0x66) {
    return lower - 0x57;
  }
  throw new PayloadError(
    'web.incoming_webhook.parse_form.app_error',
    'payload contains a % that does not start an escape',
    'Encode the field, as curl --data-urlencode does.',
  );
}
