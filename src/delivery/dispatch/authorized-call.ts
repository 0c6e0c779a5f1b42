import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import type { Authorization, Call } from './delivery-kind.js';

const UNAUTHORIZED = 401;

interface Limits {
  /** For everything together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** The reply to a call, or the error with which it failed. */
export interface SentCall {
  readonly reply?: OutboundReply;
  readonly error?: unknown;
  /** Strings to redact from the reply: those of the call and of its authorization. */
  readonly secrets: readonly string[];
}

/** Makes a call. If the receiver refuses its authorization, makes it once more with a new one. */
export async function sendCall(
  client: OutboundClient,
  url: string,
  { headers, body, secrets: own, authorize }: Call,
  { timeoutMs, signal }: Limits,
): Promise<SentCall> {
  let secrets = own;
  const request = { method: 'POST', url, body, timeoutMs, startedAt: performance.now() } as const;
  const send = (proof: Authorization): Promise<OutboundReply> => {
    secrets = [...own, ...proof.secrets];
    return client.send({ ...request, headers: { ...headers, ...proof.headers } }, signal);
  };
  try {
    if (!authorize) return { reply: await client.send({ ...request, headers }, signal), secrets };
    const proof = await authorize();
    const reply = await send(proof);
    return { reply: reply.status === UNAUTHORIZED ? await send(await authorize(proof)) : reply, secrets };
  } catch (error) {
    const isStopping = signal?.aborted === true;
    return { error: isStopping ? new OutboundFailure('aborted', 'The call was cancelled.') : error, secrets };
  }
}
