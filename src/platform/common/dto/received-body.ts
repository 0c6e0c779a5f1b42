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
