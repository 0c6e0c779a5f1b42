import { createHmac } from 'node:crypto';

/** What a signing secret begins with; the rest is the key in base64. */
export const SIGNING_PREFIX = 'whsec_';

/**
 * The headers of Standard Webhooks 1.0.0: the receiver proves with its secret that the call is the server's, is whole,
 * and is recent. Several secrets sign side by side while one replaces another. For programs that check a bare HMAC of the
 * body, as GitHub's webhooks have it, there is one more header, with the whole text of the secret as key; and while a
 * secret replaces another, one with the previous secret as key, or with each of them after a comma.
 */
export function signatureHeaders(
  secrets: readonly [current: string, ...previous: string[]],
  id: string,
  nowMs: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const [current, ...previous] = secrets;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SIGNING_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`;
  });
  const bare = (secret: string): string =>
    `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'x-hookline-signature-256': bare(current),
    ...(previous.length === 0 ? {} : { 'x-hookline-signature-256-previous': previous.map(bare).join(', ') }),
  };
}
