import { decodePayload, type IncomingPayload, type PayloadInput } from '../payload/payload-decoder.js';
import type { ReceivedCall } from '../kept-requests/request-keeper.js';
import { PayloadError } from '../payload/payload-error.js';
import { payloadUndecodable } from './execution.errors.js';

/** Decodes the payload of a call. Throws payloadUndecodable with advice for the caller. */
export async function decode(input: PayloadInput & Pick<ReceivedCall, 'received'>): Promise<IncomingPayload> {
  try {
    return await decodePayload(input);
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    const coding = input.received?.headers['content-encoding'];
    throw payloadUndecodable(error, coding !== undefined && coding !== 'identity');
  }
}
