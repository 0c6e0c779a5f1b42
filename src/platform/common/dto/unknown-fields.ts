import type { Response } from 'express';
import type { HttpRequest } from '../http/http-request.js';
import { addWarning } from '../http/warnings.js';

const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 64;

const unknownIn = new WeakMap<Buffer, readonly string[]>();

/** Remembers the unknown fields of a body. */
export function noteUnknownFields(body: Buffer, names: readonly string[]): void {
  if (names.length > 0) unknownIn.set(body, names);
}

/** Warns about ignored fields, except those in the response (docs/contract/conventions.md#bodies). */
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

const received = new WeakMap<Buffer, unknown>();

/** Remembers the decoded body for later readers, which must see the same value. Call it before validation. */
export function noteReceived<T>(body: unknown, value: T): T {
  if (Buffer.isBuffer(body) && body.length > 0) received.set(body, value); // requests without a body share an empty one
  return value;
}

/** The decoded body that the handler receives; undefined if there was none or decoding failed. */
export function receivedFor(body: Buffer): unknown {
  return received.get(body);
}
