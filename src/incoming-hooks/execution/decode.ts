import type { IncomingPayload } from '../payload/incoming-payload.js';
import { decodePayload, type PayloadInput } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-error.js';
import { PayloadUndecodable } from './execution.errors.js';

/** The payload of a call. Throws PayloadUndecodable, which says what the caller can do. */
export async function decode(input: PayloadInput): Promise<IncomingPayload> {
  try {
    return await decodePayload(input);
  } catch (error) {
    throw error instanceof PayloadError ? new PayloadUndecodable(error) : error;
  }
}
