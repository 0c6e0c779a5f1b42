import { createHmac } from 'node:crypto';

/** The prefix of a signing secret; the rest is the key in base64. */
export const SIGNING_PREFIX = 'whsec_';

/** The id and timestamp headers of a call, which are signed along with the body. */
export function identityHeaders(
  id: string,
  nowMs: number,
): Record<'webhook-id' | 'webhook-timestamp', string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(nowMs / 1000)) };
}

/**
 * The headers of Standard Webhooks 1.0.0, with which the receiver verifies that a call is authentic, complete and recent.
 * During a rotation, all valid secrets sign. Another header contains a plain HMAC of the body, as in GitHub's
 * webhooks, keyed with the full text of the current secret; during a rotation, one more header lists the
 * HMACs of previous secrets, separated by commas.
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
