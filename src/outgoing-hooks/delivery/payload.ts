import type { JsonObject } from '../../platform/common/json.js';
import { EVENT_KEYS } from '../events/event-payloads.js';
import { FORM_TYPE } from '../outgoing-hook.rules.js';

/** In contract order; a stored payload may have lost its key order. */
const KEYS = [
  'token',
  'team_id',
  'team_domain',
  'channel_id',
  'channel_name',
  'timestamp',
  'user_id',
  'user_name',
  'post_id',
  'text',
  'trigger_word',
  'file_ids',
] as const;

/** A stored payload: all but the token, which is the hook's at the time of the call (docs/contract/outgoing-webhooks.md#payload). */
export type Payload = Record<Exclude<(typeof KEYS)[number], 'token' | 'timestamp'>, string> & {
  timestamp: number;
};

/** The part of a stored payload that is sent. */
export function payloadOf(frozen: JsonObject): JsonObject {
  const keys: readonly string[] = 'event' in frozen ? EVENT_KEYS : KEYS;
  return Object.fromEntries(keys.filter((key) => key in frozen).map((key) => [key, frozen[key]]));
}

/** The body to send: JSON in the contract's order, or for triggers a form with sorted keys and the time in seconds. */
export function encodePayload(contentType: string, token: string, frozen: JsonObject): string {
  if ('event' in frozen) return encodeJson(payloadOf({ ...frozen, token }));
  const fields = KEYS.map((key): [string, string | number] => {
    const value = key === 'token' ? token : frozen[key];
    if (typeof value === 'number') return [key, value];
    return [key, typeof value === 'string' ? value.toWellFormed() : ''];
  });
  return contentType === FORM_TYPE ? encodeForm(fields) : encodeJson(Object.fromEntries(fields));
}

/** Like Go's json.Marshal, also escapes characters that are special in HTML and JavaScript. */
function encodeJson(fields: JsonObject): string {
  return JSON.stringify(fields).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function encodeForm(fields: readonly (readonly [string, string | number])[]): string {
  return fields
    .map(([key, value]) => {
      const text = typeof value === 'number' ? String(Math.trunc(value / 1000)) : value;
      return `${key}=${encodeFormValue(text)}`;
    })
    .sort()
    .join('&');
}

/** Like Go's url.Values: keeps letters, digits and `-_.~`, maps spaces to `+`, percent-encodes the rest. */
function encodeFormValue(value: string): string {
  return encodeURIComponent(value)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+');
}
