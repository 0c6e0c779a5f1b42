import busboy from 'busboy';

const FIELD = 'payload=';
const AMPERSAND = 0x26;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

export const MAX_PARTS = 50;
/** RFC 2046, 5.1.1. Also, searching for a long boundary of equal characters would be slow. */
const MAX_BOUNDARY_LENGTH = 70;

const REMEDY = `Send at most ${MAX_PARTS} fields as text, and let the client set the header, such as with curl -F text=Hello.`;

/**
 * Inner error IDs for payloads that cannot be decoded; the status is always 400
 * (docs/contract/incoming-webhooks.md#errors).
 */
type PayloadErrorId =
  | 'web.incoming_webhook.media_type.app_error'
  | 'web.incoming_webhook.parse_form.app_error'
  | 'web.incoming_webhook.parse_multipart.app_error'
  | 'model.incoming_hook.parse_data.app_error';

/**
 * The payload cannot be decoded. `detail` names the field, never its value. `remedy` is a sentence that says
 * what to send instead, or empty if `detail` already does.
 */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';

  constructor(
    readonly id: PayloadErrorId,
    readonly detail: string,
    readonly remedy: string,
  ) {
    super(detail);
  }
}

export interface FormField {
  readonly bytes: Buffer;
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
    'Encode the field, such as with curl --data-urlencode.',
  );
}

export type Part = readonly [name: string, value: string];

/**
 * Returns the parts of a multipart/form-data body, in order (docs/contract/incoming-webhooks.md#media-types).
 * Throws PayloadError, including for files.
 */
export async function readParts(body: Buffer, boundary: string | undefined): Promise<Part[]> {
  if (!boundary || boundary.length > MAX_BOUNDARY_LENGTH) {
    throw unreadable('the boundary is missing or too long');
  }
  const parser = parserFor(boundary, body.length);
  const parts: Part[] = [];
  let problem: string | undefined;
  return new Promise((resolve, reject) => {
    parser
      .on('field', (name: string | undefined, value: string | undefined) => {
        if (name === undefined || value === undefined) {
          problem ??= name === undefined ? 'a part has no name' : `part ${name}: unknown charset`;
        } else {
          parts.push([name, value]);
        }
      })
      .on('file', (name: string | undefined, file) => {
        problem ??= `part ${name ?? 'without name'} is a file`;
        file.on('error', () => undefined).resume(); // the parser reports the error too
      })
      .on('partsLimit', () => (problem ??= `more than ${MAX_PARTS} parts`))
      .on('error', (error) => (problem ??= error instanceof Error ? error.message : 'malformed'))
      .on('close', () => (problem === undefined ? resolve(parts) : reject(unreadable(problem))));
    parser.end(body);
  });
}

function parserFor(boundary: string, bodyLength: number): busboy.Busboy {
  const quoted = boundary.replace(/["\\]/g, '\\$&');
  try {
    return busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${quoted}"` },
      // One more than allowed: the parser reports a limit when it is reached, not when it is exceeded.
      limits: { parts: MAX_PARTS + 1, fieldSize: bodyLength + 1 },
    });
  } catch {
    throw unreadable('malformed boundary');
  }
}

function unreadable(detail: string): PayloadError {
  return new PayloadError('web.incoming_webhook.parse_multipart.app_error', detail.slice(0, 200), REMEDY);
}
