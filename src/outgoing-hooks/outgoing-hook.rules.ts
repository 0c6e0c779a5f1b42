import type { Owned } from '../messaging/owners/owner-states.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { definedOnly } from '../platform/common/defined-only.js';
import { rulesOf } from '../platform/common/errors/record-rules.js';
import { isId } from '../platform/common/ids.js';
import { byteLength } from '../platform/common/utf8.js';
import { requireCallableUrl } from '../delivery/outbound/callable-url.js';
import { OutboundFailure } from '../delivery/outbound/outbound-failure.js';
import {
  patchCommand,
  type PatchOutgoingHookDto,
  TRIGGER_WHEN,
  type UpdateOutgoingHookDto,
} from './dto/write-outgoing-hook.dto.js';
import { BOT_EVENTS, HOOK_EVENTS, isHookEvent } from './events/hook-events.js';
import { DELIVERY_MODES, ORDERINGS, type OutgoingHook } from './outgoing-hook.entity.js';
import { fieldNotAccepted } from './outgoing-hooks.errors.js';

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_CALLBACK_URLS = 20;
const MAX_REQUESTS_PER_SECOND = 1_000;

export const MAX_JOINED_BYTES = 1024;
const MAX_BYTES = {
  displayName: 64,
  description: 500,
  contentType: 128,
  username: 64,
  iconUrl: 1024,
} as const;

export const requireRule = rulesOf('outgoing_hook');

/** Throws ValidationFailed for the first broken rule (order: docs/contract/outgoing-webhooks.md#record). */
export function requireValidHook(hook: OutgoingHook): void {
  requireRule(isId(hook.creatorId), 'user_id', 'creator_id', 'it is not a valid id.');
  requireRule(
    hook.channelId === '' || isId(hook.channelId),
    'channel_id',
    'channel_id',
    'it is not a valid id.',
  );
  requireRule(isId(hook.teamId), 'team_id', 'team_id', 'it is not a valid id.');
  requireWords(hook.triggerWords);
  requireDelivery(hook);
  requireLength('display_name', hook.displayName, MAX_BYTES.displayName);
  requireLength('description', hook.description, MAX_BYTES.description);
  requireLength('content_type', hook.contentType, MAX_BYTES.contentType);
  requireRule(
    hook.contentType === JSON_TYPE || hook.contentType === FORM_TYPE,
    'content_type',
    'content_type',
    `it must be ${JSON_TYPE} or ${FORM_TYPE}.`,
  );
  requireWhen(hook.triggerWhen);
  requireEvents(hook);
  requireLength('username', hook.username, MAX_BYTES.username, 'model.outgoing_hook.username.app_error');
  requireLength('icon_url', hook.iconUrl, MAX_BYTES.iconUrl, 'model.outgoing_hook.icon_url.app_error');
  requireRule(ORDERINGS.includes(hook.ordering), 'ordering', 'ordering', 'it must be channel or empty.');
  requireRate(hook);
}

export type TriggersOfNew = Pick<
  OutgoingHook,
  'teamId' | 'channelId' | 'triggerWords' | 'triggerWhen' | 'events'
>;

/** Like `requireValidHook`, for the trigger settings of a hook that does not exist yet. */
export function requireValidTriggers({ teamId, triggerWords, triggerWhen }: TriggersOfNew): void {
  requireRule(isId(teamId), 'team_id', 'team_id', 'it is not a valid id.');
  requireWords(triggerWords);
  requireWhen(triggerWhen);
}

export const ownedBy = ({ creatorId, teamId }: OutgoingHook): Owned => ({ ownerId: creatorId, teamId });

/** The content type to store; empty means a form (docs/contract/outgoing-webhooks.md#record). */
export function contentTypeOf(sent: string): string {
  return sent === '' ? FORM_TYPE : sent;
}

/** The fields that a PATCH changes. */
export function changeOf(input: PatchOutgoingHookDto): Partial<OutgoingHook> {
  return definedOnly({
    channelId: input.channel_id,
    displayName: input.display_name,
    description: input.description,
    triggerWords: input.trigger_words,
    triggerWhen: input.trigger_when,
    callbackUrls: input.callback_urls,
    contentType: input.content_type === undefined ? undefined : contentTypeOf(input.content_type),
    username: input.username,
    iconUrl: input.icon_url,
    events: input.events,
    botUserId: input.bot_user_id,
    includeBots: input.include_bots,
    delivery: input.delivery,
    ordering: input.ordering,
    requestsPerSecond: input.requests_per_second,
  });
}

/** Whether two hooks of a team would fire alike (docs/contract/outgoing-webhooks.md#duplicates). */
export function intersects(a: OutgoingHook, b: OutgoingHook): boolean {
  return (
    a.id !== b.id &&
    a.channelId === b.channelId &&
    haveCommon(a.events, b.events) &&
    haveCommon(a.callbackUrls, b.callbackUrls) &&
    haveCommon(a.triggerWords, b.triggerWords)
  );
}

function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others);
  return some.some((item) => known.has(item));
}

/** Throws `fieldNotAccepted` if PUT would change one of these fields, which stock clients send back unchanged. */
export function requireUnchanged(hook: OutgoingHook, input: UpdateOutgoingHookDto, siteUrl = ''): void {
  const { content_type: contentType } = input;
  const sent: readonly (readonly [string, unknown, unknown])[] = [
    ['trigger_words', input.trigger_words, hook.triggerWords],
    ['trigger_when', input.trigger_when, hook.triggerWhen],
    ['callback_urls', input.callback_urls, hook.callbackUrls],
    ['events', input.events, hook.events],
    ['bot_user_id', input.bot_user_id, hook.botUserId],
    ['include_bots', input.include_bots, hook.includeBots],
    ['delivery', input.delivery, hook.delivery],
    ['ordering', input.ordering, hook.ordering],
    ['requests_per_second', input.requests_per_second, hook.requestsPerSecond],
    ['content_type', contentType === undefined ? undefined : contentTypeOf(contentType), hook.contentType],
  ];
  for (const [field, value, stored] of sent)
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(stored))
      throw fieldNotAccepted(field, patchCommand(siteUrl, hook.id, field, value));
}

function requireWords(words: readonly string[]): void {
  const field = 'trigger_words';
  const tooLong = `they must have at most ${MAX_JOINED_BYTES - 2} bytes in total.`;
  requireRule(joinedBytes(words) <= MAX_JOINED_BYTES, 'words', field, tooLong);
  const isBlank = words.some((word) => word.trim() === '');
  requireRule(!isBlank, field, field, 'none of them can be empty or blank.');
}

function requireEvents({ events, botUserId }: OutgoingHook): void {
  const requireEventRule = (isMet: boolean, reason: string): void =>
    requireRule(isMet, 'events', 'events', reason);
  requireEventRule(events.length > 0, 'there must be at least one.');
  const unknown = events.findIndex((name) => !isHookEvent(name));
  requireEventRule(unknown < 0, `item ${unknown} is not one of ${HOOK_EVENTS.join(', ')}.`);
  requireEventRule(new Set(events).size === events.length, 'none of them can be given twice.');
  const needsBot = events.some((name) => BOT_EVENTS.includes(name));
  requireRule(!needsBot || botUserId !== '', 'bot_user_id', 'bot_user_id', 'the bot events need a bot.');
}

function requireRate({ requestsPerSecond: rate, delivery }: OutgoingHook): void {
  const field = 'requests_per_second';
  const isInRange = rate >= 0 && rate <= MAX_REQUESTS_PER_SECOND;
  requireRule(isInRange, field, field, `it must be from 0 to ${MAX_REQUESTS_PER_SECOND}.`);
  requireRule(rate === 0 || delivery === 'push', field, field, 'with delivery pull, it must be 0.');
}

/** The contract reuses the error id of the content type. */
function requireWhen(when: number): void {
  requireRule(
    TRIGGER_WHEN.enum.includes(when),
    'content_type',
    'trigger_when',
    'it must be 0, a trigger word anywhere, 1, a trigger word at the start, or 2, a trigger word as the first word.',
  );
}

function requireDelivery({ delivery, callbackUrls }: OutgoingHook): void {
  const modes = DELIVERY_MODES.join(' or ');
  requireRule(DELIVERY_MODES.includes(delivery), 'delivery', 'delivery', `it must be ${modes}.`);
  if (delivery === 'push') return requireUrls(callbackUrls);
  requireRule(
    callbackUrls.length === 0,
    'callback',
    'callback_urls',
    'with delivery pull, it must be empty.',
  );
}

function requireUrls(urls: readonly string[]): void {
  const requireUrlRule = (isMet: boolean, reason: string): void =>
    requireRule(isMet, 'callback', 'callback_urls', reason);
  requireUrlRule(urls.length > 0, 'there must be at least one.');
  requireUrlRule(urls.length <= MAX_CALLBACK_URLS, `there must be at most ${MAX_CALLBACK_URLS}.`);
  requireUrlRule(
    joinedBytes(urls) <= MAX_JOINED_BYTES,
    `they must have at most ${MAX_JOINED_BYTES - 2} bytes in total.`,
  );
  for (const [index, url] of urls.entries()) {
    try {
      requireCallableUrl(url);
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      requireRule(false, 'url', `callback_urls[${index}]`, error.message);
    }
  }
}

/** The length as the contract counts it: joined by spaces, plus two brackets. */
function joinedBytes(items: readonly string[]): number {
  return byteLength(items.join(' ')) + 2;
}

function requireLength(
  field: string,
  value: string,
  maxBytes: number,
  id = `model.outgoing_hook.is_valid.${field}.app_error`,
): void {
  if (byteLength(value) <= maxBytes) return;
  throw new ValidationFailed(id, field, `it must have at most ${maxBytes} bytes.`);
}
