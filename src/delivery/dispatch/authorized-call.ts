import { type OutboundClient, type OutboundReply, remainingMs } from '../outbound/outbound-client.js';
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
  limits: Limits,
): Promise<SentCall> {
  const { timeoutMs, signal } = limits;
  const startedAt = performance.now();
  const request = { method: 'POST', url, body, timeoutMs, startedAt } as const;
  let secrets = own;
  const send = (proof: Authorization): Promise<OutboundReply> => {
    secrets = [...own, ...proof.secrets];
    return client.send({ ...request, headers: { ...headers, ...proof.headers } }, signal);
  };
  try {
    if (!authorize) return { reply: await client.send({ ...request, headers }, signal), secrets };
    const proof = await inTime(authorize(), limits, startedAt);
    const reply = await send(proof);
    if (reply.status !== UNAUTHORIZED) return { reply, secrets };
    const renewed = await inTime(authorize(proof), limits, startedAt);
    return { reply: renewed === proof ? reply : await send(renewed), secrets };
  } catch (error) {
    return { error: signal?.aborted === true ? cancelled() : error, secrets };
  }
}

/** Stops waiting at the deadline or when the signal aborts. The work continues, because other calls may share it. */
async function inTime<T>(work: Promise<T>, { timeoutMs, signal }: Limits, startedAt: number): Promise<T> {
  let stop = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    stop = () => reject(cancelled());
    timer = setTimeout(() => reject(late(timeoutMs)), remainingMs({ timeoutMs, startedAt }));
  });
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function late(timeoutMs: number): OutboundFailure {
  return new OutboundFailure('token', `There was no token within ${timeoutMs / 1000} s.`);
}

function cancelled(): OutboundFailure {
  return new OutboundFailure('aborted', 'The call was cancelled.');
}
