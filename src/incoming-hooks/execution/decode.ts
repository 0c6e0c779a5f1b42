import type { IncomingPayload } from '../payload/incoming-payload.js';
import { decodePayload, type PayloadInput } from '../payload/payload-decoder.js';
import type { ReceivedCall } from '../kept-requests/request-keeper.js';
import { PayloadError } from '../payload/payload-error.js';
import { payloadUndecodable } from './execution.errors.js';

/** The payload of a call. Throws payloadUndecodable, which says what the caller can do. */
export async function decode(input: PayloadInput & Pick<ReceivedCall, 'received'>): Promise<IncomingPayload> {
  try {
    return await decodePayload(input);
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    const coding = input.received?.headers['content-encoding'];
    throw payloadUndecodable(error, coding !== undefined && coding !== 'identity');
  }
}
