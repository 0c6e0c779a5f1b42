import type { DeliveryAttempt } from '../../delivery/dispatch/delivery-attempt.entity.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { sentHeaders } from '../../delivery/outbound/sent-headers.js';
import { newId } from '../../platform/common/ids.js';
import { callHeaders } from '../delivery/call-headers.js';
import { encodePayload } from '../delivery/payload.js';

/** Tokens are replaced, but all are of one length. */
const SOME_TOKEN = newId();

/** How many bytes the calls of a delivery have as their body. */
export function bodyBytesOf({ contentType, body }: Pick<Delivery, 'contentType' | 'body'>): number {
  return Buffer.byteLength(encodePayload(contentType, SOME_TOKEN, body));
}

/**
 * The headers that an attempt was made with, by the functions that made them then; none if nothing was sent. Signatures
 * are not among them, because the secrets may be others by now.
 */
export function requestHeadersOf(
  { id, url, contentType }: Pick<Delivery, 'id' | 'url' | 'contentType'>,
  { startAt, statusCode, detail }: Pick<DeliveryAttempt, 'startAt' | 'statusCode' | 'detail'>,
  bodyBytes: number | undefined,
): Record<string, string> {
  const { sentMs, traceparent, version } = detail;
  if (sentMs < 0 && statusCode === 0) return {};
  const headers = callHeaders({ id, contentType, version, atMs: startAt });
  return sentHeaders({ url, headers: traceparent ? { ...headers, traceparent } : headers, bodyBytes });
}
