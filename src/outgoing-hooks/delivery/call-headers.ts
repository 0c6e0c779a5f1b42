import { createHmac } from 'node:crypto';
import type { Delivery, DeliveryAttempt } from '../../delivery/dispatch/delivery.entity.js';
import { PULL_URL } from '../../delivery/dispatch/delivery-kind.js';
import { sentHeaders } from '../../delivery/outbound/outbound-client.js';
import { newId } from '../../platform/common/ids.js';
import { encodePayload } from './payload.js';

interface CallFacts {
  readonly id: string;
  readonly contentType: string;
  readonly version: string;
  readonly atMs: number;
}

/**
 * The headers of a call except its signatures (docs/contract/outgoing-webhooks.md#calls). The delivery log rebuilds
 * them, so everything they depend on must be stored.
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

export function bodyBytesOf({ contentType, body }: Pick<Delivery, 'contentType' | 'body'>): number {
  return Buffer.byteLength(encodePayload(contentType, SOME_TOKEN, body));
}

/** Rebuilds the headers of a past attempt, without signatures; empty if nothing was sent. */
export function requestHeadersOf(
  { id, url, contentType }: Pick<Delivery, 'id' | 'url' | 'contentType'>,
  { startAt, statusCode, detail }: Pick<DeliveryAttempt, 'startAt' | 'statusCode' | 'detail'>,
  bodyBytes: number | undefined,
): Record<string, string> {
  const { sentMs, traceparent, version } = detail;
  if (sentMs < 0 && statusCode === 0) return {};
  const headers = callHeaders({ id, contentType, version, atMs: startAt });
  if (url === PULL_URL) return headers;
  return sentHeaders({ url, headers: traceparent ? { ...headers, traceparent } : headers, bodyBytes });
}

/** The prefix of a signing secret; the rest is the key in base64. */
export const SIGNING_PREFIX = 'whsec_';

function identityHeaders(id: string, nowMs: number) {
  return { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(nowMs / 1000)) };
}

/**
 * The headers of Standard Webhooks 1.0.0, signed with all valid secrets, and plain HMACs of the body, as in GitHub's
 * webhooks: of the current secret, and of previous ones, separated by commas.
 */
export function signatureHeaders(
  secrets: readonly [current: string, ...previous: string[]],
  id: string,
  nowMs: number,
  body: string,
): Record<string, string> {
  const identity = identityHeaders(id, nowMs);
  const signed = `${id}.${identity['webhook-timestamp']}.${body}`;
  const [current, ...previous] = secrets;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SIGNING_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  const bare = (secret: string): string =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return {
    ...identity,
    'webhook-signature': signatures.join(' '),
    'x-hookline-signature-256': bare(current),
    ...(previous.length === 0 ? {} : { 'x-hookline-signature-256-previous': previous.map(bare).join(', ') }),
  };
}
