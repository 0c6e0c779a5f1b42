import busboy from 'busboy';

import { PayloadError } from './payload-error.js';

/** Maximum number of parts in a body. */
export const MAX_PARTS = 50;
/** RFC 2046, 5.1.1. Also, searching for a long boundary of equal characters would be slow. */
const MAX_BOUNDARY_LENGTH = 70;

const REMEDY = `Send at most ${MAX_PARTS} fields as text, and let the client set the header, as in curl -F text=Hello.`;

/** A form field, as text. */
export type Part = readonly [name: string, value: string];

/**
 * Returns the parts of a multipart/form-data body, in order (docs/contract/incoming-webhooks.md#media-types).
 * Throws PayloadError, also for files.
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
