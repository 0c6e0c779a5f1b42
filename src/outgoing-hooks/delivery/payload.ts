import type { JsonObject } from '../../common/json.js';
import { FORM_TYPE } from '../outgoing-hook.rules.js';

/** What a receiver is told, but for the token, which is the hook's at the time of the call (spec/webhooks.md 14.4). */
export interface PayloadFacts {
  readonly teamId: string;
  readonly teamName: string;
  readonly channelId: string;
  readonly channelName: string;
  /** Milliseconds since the epoch. */
  readonly createAt: number;
  readonly userId: string;
  readonly userName: string;
  readonly postId: string;
  readonly text: string;
  readonly triggerWord: string;
  readonly fileIds: readonly string[];
}

/** The payload as it is frozen, its keys in the order of the contract. */
export function freezePayload(facts: PayloadFacts): JsonObject {
  return {
    team_id: facts.teamId,
    team_domain: facts.teamName,
    channel_id: facts.channelId,
    channel_name: facts.channelName,
    timestamp: facts.createAt,
    user_id: facts.userId,
    user_name: facts.userName,
    post_id: facts.postId,
    text: facts.text,
    trigger_word: facts.triggerWord,
    file_ids: facts.fileIds.join(','),
  };
}

/** The bytes that are sent: JSON in the contract's order, or a form with its keys sorted and the time in seconds. */
export function encodePayload(contentType: string, token: string, frozen: JsonObject): string {
  if (contentType !== FORM_TYPE) return JSON.stringify({ token, ...frozen });
  const fields: Record<string, unknown> = {
    token,
    ...frozen,
    timestamp: Math.trunc(Number(frozen['timestamp']) / 1000),
  };
  return Object.keys(fields)
    .sort()
    .map((key) => `${key}=${encodeFormValue(String(fields[key]))}`)
    .join('&');
}

/** As Go's url.Values does it: letters, digits and `-_.~` stay, a space is a plus, all else is percent-encoded. */
function encodeFormValue(value: string): string {
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+');
}
