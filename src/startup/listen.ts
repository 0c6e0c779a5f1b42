import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import { stackOf } from '../platform/common/errors/stack-of.js';
import { decodeText, MediaTypeError, parseMediaType } from '../platform/common/media-type.js';
import { isHttpUrl, networkReasonOf, tokenFromEnvironment, withoutSlashes } from './api-target.js';
import { say } from './command.js';

const USAGE =
  'Usage: hookline listen --url SERVER --hook ID --forward URL [--token TOKEN]. HOOKLINE_TOKEN can have the token.';
const WAIT = '30s';
const LEASE = '60s';
/** The server answers a call after WAIT at the latest; the program has until its lease runs out. */
const CALL_TIMEOUT_MS = 45_000;
const MAX_REPLY_BYTES = 1024 * 1024;
const MAX_PAUSE_MS = 30_000;

interface Target {
  /** The URL of the webhook in the API. */
  readonly hook: string;
  readonly token: string;
  readonly forward: string;
}

interface Pulled {
  readonly id: string;
  readonly lease_id: string;
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `hookline listen`: pulls the deliveries of a webhook and forwards each to a program, until it is interrupted. */
export const run = (): void => {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  listen(interruption.signal).catch((error: unknown) => {
    process.stderr.write(`${error instanceof CommandRefused ? error.message : stackOf(error)}\n`);
    process.exitCode = 1;
  });
};

async function listen(signal: AbortSignal): Promise<void> {
  const target = readTarget(process.argv.slice(2));
  say(`Forwarding deliveries to ${target.forward}. Press Ctrl-C to stop.`);
  for (let failures = 0; !signal.aborted;) {
    try {
      const request = { limit: 1, wait: WAIT, lease: LEASE };
      const { deliveries } = await call<{ deliveries: readonly Pulled[] }>(target, 'pull', request, signal);
      for (const delivery of deliveries) await handle(target, delivery, signal);
      failures = 0;
    } catch (error) {
      if (error instanceof CommandRefused) throw error;
      if (signal.aborted) return;
      const pauseMs = Math.min(MAX_PAUSE_MS, 1_000 * 2 ** failures++);
      say(`${networkReasonOf(error)} The next try is in ${pauseMs / 1_000} s.`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Forwards a delivery. If it is interrupted, the delivery is due again at once. */
async function handle(target: Target, delivery: Pulled, signal: AbortSignal): Promise<void> {
  const { id, lease_id: lease, attempt } = delivery;
  const startedAt = performance.now();
  const { reply, result } = await forward(target.forward, delivery, signal);
  const took = `${Math.round(performance.now() - startedAt)} ms`;
  const { settled, note = '' } = await (reply
    ? ack(target, lease, reply)
    : call<Settled>(target, 'nack', { lease_ids: [lease], ...(signal.aborted && { delay: '0s' }) }));
  const late = settled.length === 0 ? ', but its lease had ended' : '';
  say(`${new Date().toISOString()} ${id} attempt ${attempt}: ${result} in ${took}${late}${note}`);
}

interface Settled {
  readonly settled: readonly string[];
  /** What happened to the reply. */
  readonly note?: string;
}

/** Acks without the reply if the server refuses it, because the program has accepted the delivery. */
async function ack(target: Target, lease: string, reply: Reply): Promise<Settled> {
  const leases = { lease_ids: [lease] };
  if (reply.body === '') return call(target, 'ack', leases);
  try {
    return await call(target, 'ack', { ...leases, replies: { [lease]: reply } });
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    const settled = await call<Settled>(target, 'ack', leases);
    return { ...settled, note: `, without its reply. ${error.message}` };
  }
}

interface Reply {
  readonly content_type: string;
  readonly body: string;
}

interface Forwarded {
  /** Undefined if the program did not accept the delivery. */
  readonly reply?: Reply;
  readonly result: string;
}

async function forward(url: string, { headers, body }: Pulled, signal: AbortSignal): Promise<Forwarded> {
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', redirect: 'manual', headers, body },
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) return { result: `HTTP ${response.status}` };
    const isLong = bytes.length > MAX_REPLY_BYTES;
    const result = `HTTP ${response.status}${isLong ? ' (the reply is too long to be sent)' : ''}`;
    const type = response.headers.get('content-type') ?? 'application/json';
    return { reply: replyOf(type, isLong ? Buffer.of() : bytes), result };
  } catch (error) {
    return { result: networkReasonOf(error) };
  }
}

/** The reply as text. The server reports a `Content-Type` that cannot be read. */
function replyOf(contentType: string, bytes: Buffer): Reply {
  try {
    const media = parseMediaType(contentType);
    const body = decodeText(bytes, media?.parameters.get('charset'));
    return { content_type: media?.type.slice(0, 255) ?? 'application/json', body };
  } catch (error) {
    if (!(error instanceof MediaTypeError)) throw error;
    return { content_type: contentType.slice(0, 255), body: bytes.toString() };
  }
}

/** Throws CommandRefused if the server refuses the call for good. */
async function call<T>(
  { hook, token }: Target,
  route: string,
  body: object,
  signal = AbortSignal.timeout(CALL_TIMEOUT_MS),
): Promise<T> {
  const response = await fetch(`${hook}/${route}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
  });
  if (response.ok) return (await response.json()) as T;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  const text = `The server responded with ${response.status}: ${message ?? response.statusText}`;
  const isFinal = response.status < 500 && response.status !== 408 && response.status !== 429;
  throw isFinal || response.status === 501 ? new CommandRefused(text) : new Error(text);
}

function readTarget(args: readonly string[]): Target {
  const text = { type: 'string' } as const;
  const options = { url: text, hook: text, forward: text, token: text };
  let values: Partial<Record<keyof typeof options, string>>;
  try {
    ({ values } = parseArgs({ args: [...args], options }));
  } catch {
    throw new CommandRefused(USAGE);
  }
  const { url = '', hook = '', forward: to = '', token = tokenFromEnvironment() } = values;
  if (![url, to].every(isHttpUrl) || !/^\w+$/.test(hook) || token === '') throw new CommandRefused(USAGE);
  return { hook: `${withoutSlashes(url)}/api/v4/hooks/outgoing/${hook}`, token, forward: to };
}
