import type { OutgoingHook } from '../outgoing-hook.entity.js';
import type { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import type { Firing } from '../matching/team-triggers.js';

/** What one message may add to its own commit. */
export type MessageLimit = Pick<OutgoingHooksSettings, 'outgoingPerMessage' | 'outgoingBytesPerMessage'>;

/** One call that a message triggers. */
export interface TriggeredCall extends Firing {
  readonly url: string;
}

/** The calls of a message that are made, and those that are too many. */
export interface LimitedCalls {
  readonly calls: readonly TriggeredCall[];
  readonly leftOut: readonly TriggeredCall[];
}

/** The approximate size of a delivery without its URL and the rest of its payload. */
const ROW_BYTES = 1024;
const MAX_BYTES_PER_CHARACTER = 3;

/** The calls of all webhooks that fire on a message, cut at the limit; the oldest webhooks come first. */
export function limitCalls(
  firings: readonly Firing[],
  message: string,
  { outgoingPerMessage, outgoingBytesPerMessage }: MessageLimit,
): LimitedCalls {
  const all = firings.flatMap(callsOf);
  let bytes = MAX_BYTES_PER_CHARACTER * message.length;
  const cut = all.findIndex((call, index) => {
    bytes += sizeOf(call);
    return index >= outgoingPerMessage || (index > 0 && bytes > outgoingBytesPerMessage);
  });
  return cut < 0 ? { calls: all, leftOut: [] } : { calls: all.slice(0, cut), leftOut: all.slice(cut) };
}

/** How many webhooks these calls belong to. */
export function countHooks(calls: readonly TriggeredCall[]): number {
  return new Set<OutgoingHook>(calls.map(({ hook }) => hook)).size;
}

function callsOf({ hook, word }: Firing): TriggeredCall[] {
  return [...new Set(hook.callbackUrls)].map((url) => ({ hook, word, url }));
}

/** The URL counts twice because its origin is stored as the lane. */
function sizeOf({ url, word }: TriggeredCall): number {
  return ROW_BYTES + MAX_BYTES_PER_CHARACTER * (2 * url.length + word.length);
}
