import { Injectable } from '@nestjs/common';
import type { Owned } from '../messaging/owners/owner-states.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { rulesOf } from '../platform/common/errors/record-rules.js';
import { isId } from '../platform/common/ids.js';
import { byteLength } from '../platform/common/utf8.js';
import { requireCallableUrl } from '../delivery/outbound/callable-url.js';
import { OutboundFailure } from '../delivery/outbound/outbound-failure.js';
import { patchCommand, type UpdateOutgoingHookDto } from './dto/write-outgoing-hook.dto.js';
import { ORDERINGS, type OutgoingHook } from './outgoing-hook.entity.js';
import {
  channelNotOpen,
  channelOfOtherTeam,
  fieldNotAccepted,
  hookIntersects,
  triggersMissing,
} from './outgoing-hooks.errors.js';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import { OutgoingHooksPolicy, type Place } from './outgoing-hooks.policy.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

const JSON_TYPE = 'application/json';
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

const requireRule = rulesOf('outgoing_hook');

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
  requireUrls(hook.callbackUrls);
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
  requireLength('username', hook.username, MAX_BYTES.username, 'model.outgoing_hook.username.app_error');
  requireLength('icon_url', hook.iconUrl, MAX_BYTES.iconUrl, 'model.outgoing_hook.icon_url.app_error');
  requireRule(ORDERINGS.includes(hook.ordering), 'ordering', 'ordering', 'it must be channel or empty.');
  requireRate(hook.requestsPerSecond);
}

export type TriggersOfNew = Pick<OutgoingHook, 'teamId' | 'channelId' | 'triggerWords' | 'triggerWhen'>;

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

interface SentPace {
  readonly ordering?: string;
  readonly requests_per_second?: number;
}

/** The order and rate of the calls, as sent. */
export function paceOf<Sent extends SentPace>({
  ordering,
  requests_per_second: requestsPerSecond,
}: Sent): {
  readonly ordering: Sent['ordering'];
  readonly requestsPerSecond: Sent['requests_per_second'];
} {
  return { ordering, requestsPerSecond };
}

/** Whether two hooks of a team would fire alike (docs/contract/outgoing-webhooks.md#duplicates). */
export function intersects(a: OutgoingHook, b: OutgoingHook): boolean {
  return (
    a.id !== b.id &&
    a.channelId === b.channelId &&
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

function requireRate(rate: number): void {
  const field = 'requests_per_second';
  const isInRange = rate >= 0 && rate <= MAX_REQUESTS_PER_SECOND;
  requireRule(isInRange, field, field, `it must be from 0 to ${MAX_REQUESTS_PER_SECOND}.`);
}

/** The contract reuses the error id of the content type. */
function requireWhen(when: number): void {
  requireRule(
    when === 0 || when === 1,
    'content_type',
    'trigger_when',
    'it must be 0, a trigger word anywhere, or 1, a trigger word at the start.',
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

/** Validates new and changed hooks in the contract's order (docs/contract/outgoing-webhooks.md). */
@Injectable()
export class OutgoingHookChecks {
  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly policy: OutgoingHooksPolicy,
    private readonly channels: ChannelsService,
    private readonly teams: TeamsService,
  ) {}

  /** Checks the team and channel of a new hook. Throws a 403, or the error for a missing team or channel. */
  async requireNewPlace({ teamId, channelId }: Place): Promise<void> {
    if (channelId !== '') {
      const channel = await this.channels.get(channelId);
      if (channel.type !== 'O') throw channelNotOpen();
      if (channel.teamId !== teamId) throw channelOfOtherTeam();
    } else if (isId(teamId)) {
      await this.teams.get(teamId); // an invalid id is refused by the rules of the record
    }
  }

  async requireChange(actor: Actor, hook: OutgoingHook, change: Partial<OutgoingHook>): Promise<void> {
    const updated = { ...hook, ...change };
    if (updated.channelId !== '') {
      const channel = await this.channels.get(updated.channelId);
      await this.policy.requireTarget(actor, channel);
      if (channel.teamId !== hook.teamId) throw channelOfOtherTeam();
    }
    if (updated.channelId !== hook.channelId) await this.policy.requireManage(actor, hook, updated);
    requireTriggers(updated);
    await this.requireDistinct(updated, 'update');
    requireValidHook(updated);
  }

  async requireDistinct(hook: OutgoingHook, action: 'create' | 'update'): Promise<void> {
    const others = await this.repository.listInPlace(hook);
    if (others.some((other) => intersects(hook, other))) throw hookIntersects(action);
  }
}

export function requireTriggers({
  channelId,
  triggerWords,
}: Pick<OutgoingHook, 'channelId' | 'triggerWords'>): void {
  if (channelId === '' && triggerWords.length === 0) throw triggersMissing();
}

/** Adds the actor as the setter if the change sets the hook's channel, even to the same one, or adds callback URLs. */
export function withSetter(
  actor: Actor,
  hook: OutgoingHook,
  change: Partial<OutgoingHook>,
): Partial<OutgoingHook> {
  const { channelId, callbackUrls = [] } = change;
  const setsTarget = channelId !== undefined || !callbackUrls.every((url) => hook.callbackUrls.includes(url));
  return setsTarget ? { ...change, setBy: actor.userId } : change;
}
