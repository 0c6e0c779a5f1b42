import type { Response } from 'express';
import type { HttpRequest } from '../http/http-request.js';
import { addWarning } from '../http/warnings.js';

const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 64;

const unknownIn = new WeakMap<Buffer, readonly string[]>();

/** Remembers the fields of a body that its route does not know. */
export function noteUnknownFields(body: Buffer, names: readonly string[]): void {
  if (names.length > 0) unknownIn.set(body, names);
}

/**
 * Names the fields that were ignored in the answer of a call that succeeded (docs/contract/conventions.md#bodies). Those
 * that the answer has are no mistake: clients send whole records back.
 */
export function warnOfUnknownFields(response: Response, answer: unknown): void {
  const names = unknownIn.get((response.req as HttpRequest).body);
  if (names) warn(response, names, answer);
}

function warn(response: Response, names: readonly string[], answer: unknown): void {
  const known = new Set(Object.keys(answer ?? {}));
  const unknown = names.filter((name) => !known.has(name.toLowerCase()));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const more = unknown.length - shown.length;
  addWarning(
    response,
    `unknown fields were ignored: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  );
}

/** What handlers were given in place of the bytes of a body. */
const received = new WeakMap<Buffer, unknown>();

/**
 * Remembers what the handler of a route gets for a body, so that whatever looks at the request later sees the same and
 * does not read the bytes in a way of its own. Whoever decodes a body calls it, before judging what is in it.
 */
export function noteReceived<T>(body: unknown, value: T): T {
  if (Buffer.isBuffer(body) && body.length > 0) received.set(body, value); // requests without a body share an empty one
  return value;
}

/** What the handler gets for a body; undefined if there is none, or none that could be decoded. */
export function receivedFor(body: Buffer): unknown {
  return received.get(body);
}

/**
 * How many characters must be inserted, deleted or replaced to make one text of the other; `limit` + 1 if more than
 * `limit`. For short texts.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    if (Math.min(...next) > limit) return limit + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}
