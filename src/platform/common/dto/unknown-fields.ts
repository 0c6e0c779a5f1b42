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
