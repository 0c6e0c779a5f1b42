import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RESERVED_USERNAMES } from '../messaging/users/user-rules.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { isExpiry } from '../platform/common/expiry.js';
import { isId } from '../platform/common/ids.js';
import { byteLength } from '../platform/common/utf8.js';
import { isRocketChatPath, isSlackPath } from './alias-paths.js';
import { FORMATS } from './formats/formats.js';
import { compileTemplate, MAX_TEMPLATE_BYTES, TemplateError } from './formats/template.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import {
  invalidHookUsername,
  tooManyIncomingHooksInTeam,
  tooManyIncomingHooksOfUser,
} from './incoming-hooks.errors.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import { UserUpdated } from '../messaging/users/users.events.js';
import { UsersService } from '../messaging/users/users.service.js';
import { isDuplicateKey } from '../platform/database/database-errors.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { On } from '../platform/events/listeners.js';
import { IncomingHookListsReadModel } from './incoming-hook-lists.read-model.js';
import { IncomingHooksSettings, MAX_CALLS_PER_MINUTE } from './incoming-hooks.settings.js';

/** Control characters except tabs and line breaks. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
const MAX_BYTES = { displayName: 64, description: 500, username: 64, iconUrl: 1024 } as const;

/** Throws `invalidHookUsername` for an invalid name (docs/contract/incoming-webhooks.md#record). */
export function requireValidUsername(username: string): void {
  if (username === '') return;
  if (!/^[a-z0-9._-]{1,64}$/.test(username) || RESERVED_USERNAMES.has(username)) throw invalidHookUsername();
}

/** Throws the first ValidationFailed in contract order (docs/contract/incoming-webhooks.md#record). */
export function requireValidHook(hook: IncomingHook): void {
  requireIdShape('user_id', hook.userId);
  requireIdShape('channel_id', hook.channelId);
  requireIdShape('team_id', hook.teamId);
  requireLength('display_name', hook.displayName, MAX_BYTES.displayName);
  requireLength('description', hook.description, MAX_BYTES.description);
  requireLength('username', hook.username, MAX_BYTES.username);
  requireLength('icon_url', hook.iconUrl, MAX_BYTES.iconUrl);
  requireFormat(hook.format, hook.template);
  if (hook.rateLimit < 0 || hook.rateLimit > MAX_CALLS_PER_MINUTE)
    throw invalidField('rate_limit', `it must be from 0 to ${MAX_CALLS_PER_MINUTE}.`);
}

/** Returns the path that is given, or an empty text. Throws ValidationFailed for a malformed one, and for two. */
export function requireValidAlias(slackPath: string, rocketChatPath: string): string {
  if (slackPath !== '' && !isSlackPath(slackPath))
    throw invalidField(
      'slack_path',
      'it must be T…/B…/… with 2 to 20 of A–Z and 0–9 after T and B, then 16 to 64 letters and digits.',
    );
  if (rocketChatPath === '') return slackPath;
  const field = 'rocketchat_path';
  if (!isRocketChatPath(rocketChatPath))
    throw invalidField(
      field,
      'it must be an id of 17 to 40 letters and digits, a slash, and a token of 24 to 64 letters, digits, - and _.',
    );
  if (slackPath !== '')
    throw invalidField(field, 'the webhook has a slack_path; it can have only one of them.');
  return rocketChatPath;
}

/** Runs a write. Throws ValidationFailed if another webhook has the path. */
export async function withFreeAlias(aliasPath: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const field = isRocketChatPath(aliasPath) ? 'rocketchat_path' : 'slack_path';
    throw isDuplicateKey(error) ? invalidField(field, 'another webhook has this path.') : error;
  }
}

/** Throws ValidationFailed unless the time is 0 or in the future. */
export function requireValidExpiry(expiresAt: number, now: number): void {
  if (!isExpiry(expiresAt, now)) throw invalidField('expires_at', 'it must be 0 or a time in the future.');
}

/** Throws ValidationFailed for an unknown format, and for a template that is missing or does not compile. */
export function requireFormat(format: string, template: string): void {
  if (!FORMATS.includes(format)) throw invalidField('format', `it must be one of ${FORMATS.join(', ')}.`);
  requireLength('template', template, MAX_TEMPLATE_BYTES);
  if (CONTROL.test(template)) throw invalidField('template', 'it must not contain control characters.');
  if (format === 'template' && template.trim() === '')
    throw invalidField('template', 'the format needs one.');
  try {
    compileTemplate(template);
  } catch (error) {
    throw error instanceof TemplateError ? invalidField('template', `${error.message}.`) : error;
  }
}

function requireIdShape(field: string, value: string): void {
  if (isId(value)) return;
  const reason = field === 'team_id' ? 'the channel does not belong to a team.' : 'it is not a valid id.';
  throw invalidField(field, reason);
}

function invalidField(field: string, reason: string): ValidationFailed {
  return new ValidationFailed(`model.incoming_hook.${field}.app_error`, field, reason);
}

function requireLength(field: string, value: string, maxBytes: number): void {
  if (byteLength(value) <= maxBytes) return;
  throw invalidField(field, `it must have at most ${maxBytes} bytes.`);
}

/** More than the number of transactions that can be open at once. */
const MARGIN = 100;
const MAX_BOUNDS = 20_000;

interface Place {
  readonly teamId: string;
  readonly personId: string;
}

/**
 * Enforces the webhook limits (docs/contract/incoming-webhooks.md#create), even for concurrent creation.
 * Close to a limit, webhooks are created one at a time with the team locked, and counted each time. Far from
 * it, no locks or counts are needed: upper bounds are known while this process creates all webhooks.
 */
@Injectable()
export class IncomingHookLimits {
  /** Upper bounds by team, and by team and user. Lowered only by counting. */
  private readonly bounds = new LRUCache<string, number>({ max: MAX_BOUNDS });
  private generation = 0;
  private readonly counting = new Map<string, Promise<void>>();
  private readonly unlocked = new Map<string, number>();

  constructor(
    private readonly lists: IncomingHookListsReadModel,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: IncomingHooksSettings,
  ) {}

  /** Runs `insert` if there is room. With `isLimited`, the limit per user applies too. */
  async within(hook: IncomingHook, isLimited: boolean, insert: () => Promise<unknown>): Promise<void> {
    const { teamId } = hook;
    const place = { teamId, personId: await this.users.personOf(hook.userId) };
    if (await this.isReserved(place, isLimited)) {
      try {
        await insert();
      } finally {
        this.changeUnlocked(teamId, -1);
      }
      return;
    }
    await this.unitOfWork.run(async () => {
      await this.teams.lock(teamId);
      await this.requireRoom(place, isLimited);
      this.raise(place);
      await insert();
    });
  }

  /** A bot or a webhook may have a new owner, who then has more webhooks. */
  @On(UserUpdated)
  forgetBounds(): void {
    this.generation++;
    this.bounds.clear();
  }

  /** Reserves a place if the limits are far away. Otherwise the lock is needed. */
  private async isReserved(place: Place, isLimited: boolean): Promise<boolean> {
    if (this.unitOfWork.changes.isShared) return false; // other processes create webhooks too
    const { teamId } = place;
    for (let counting; (counting = this.counting.get(teamId));) await counting;
    if (this.reserve(place, isLimited)) return true;
    const counting = this.count(place).finally(() => this.counting.delete(teamId));
    this.counting.set(teamId, counting);
    await counting;
    return this.reserve(place, isLimited);
  }

  private reserve({ teamId, personId }: Place, isLimited: boolean): boolean {
    const { incomingWebhooksPerTeam: perTeam, incomingWebhooksPerUser: perUser } = this.settings;
    if (!this.isWellBelow(perTeam, teamId)) return false;
    if (isLimited && !this.isWellBelow(perUser, `${teamId} ${personId}`)) return false;
    this.raise({ teamId, personId });
    this.changeUnlocked(teamId, 1);
    return true;
  }

  private raise({ teamId, personId }: Place): void {
    for (const key of [teamId, `${teamId} ${personId}`]) {
      const bound = this.bounds.get(key);
      if (bound !== undefined) this.bounds.set(key, bound + 1);
    }
  }

  private isWellBelow(limit: number, key: string): boolean {
    const bound = this.bounds.get(key);
    return bound !== undefined && bound + MARGIN <= limit;
  }

  /** Nothing is reserved in the team while this runs. */
  private async count({ teamId, personId }: Place): Promise<void> {
    const { generation } = this;
    const unlocked = this.unlocked.get(teamId) ?? 0;
    const { inTeam, ofPerson } = await this.lists.countInTeam(teamId, personId);
    if (generation !== this.generation) return;
    this.bounds.set(teamId, inTeam + unlocked);
    this.bounds.set(`${teamId} ${personId}`, ofPerson + unlocked);
  }

  /** Webhooks being created without the lock count too: they were far from the limits when they started. */
  private async requireRoom({ teamId, personId }: Place, isLimited: boolean): Promise<void> {
    const { incomingWebhooksPerTeam: perTeam, incomingWebhooksPerUser: perUser } = this.settings;
    const unlocked = this.unlocked.get(teamId) ?? 0;
    const { inTeam, ofPerson } = await this.lists.countInTeam(teamId, personId);
    if (inTeam + unlocked >= perTeam) throw tooManyIncomingHooksInTeam(perTeam);
    if (isLimited && ofPerson + unlocked >= perUser) throw tooManyIncomingHooksOfUser(perUser);
  }

  private changeUnlocked(teamId: string, change: number): void {
    const count = (this.unlocked.get(teamId) ?? 0) + change;
    if (count > 0) this.unlocked.set(teamId, count);
    else this.unlocked.delete(teamId);
  }
}
