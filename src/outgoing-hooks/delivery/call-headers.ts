import type { Delivery, DeliveryAttempt } from '../../delivery/dispatch/delivery.entity.js';
import { sentHeaders } from '../../delivery/outbound/outbound-client.js';
import { newId } from '../../platform/common/ids.js';
import { encodePayload } from './payload.js';
import { identityHeaders } from './signature.js';

/** The inputs for the headers of an attempt. */
interface CallFacts {
  /** The delivery id. */
  readonly id: string;
  readonly contentType: string;
  /** The version of the server that makes the call. */
  readonly version: string;
  readonly atMs: number;
}

/**
 * The headers of a call (docs/contract/outgoing-webhooks.md#calls) except its signatures. The delivery log
 * rebuilds them for past attempts, so everything they depend on must be stored.
 */
export function callHeaders({ id, contentType, version, atMs }: CallFacts): Record<string, string> {
  return {
    'content-type': contentType,
    accept: 'application/json',
    // Some receivers accept only user agents that contain "Mattermost".
    'user-agent': `Hookline/${version} (Mattermost-Bot/1.1 compatible)`,
    ...identityHeaders(id, atMs),
  };
}

/** A stand-in for the hook's token; all tokens have the same length. */
const SOME_TOKEN = newId();

/** The size in bytes of a delivery's request body. */
export function bodyBytesOf({ contentType, body }: Pick<Delivery, 'contentType' | 'body'>): number {
  return Buffer.byteLength(encodePayload(contentType, SOME_TOKEN, body));
}

/**
 * Rebuilds the headers of a past attempt with the functions that built them; empty if nothing was sent.
 * Signatures are omitted because the secrets may have changed since.
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
