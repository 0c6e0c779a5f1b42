import { Injectable } from '@nestjs/common';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../platform/common/clock.js';
import type { Page } from '../platform/common/dto/params.js';
import { definedOnly } from '../platform/common/defined-only.js';
import { InvalidBodyParam } from '../platform/common/errors/common-errors.js';
import { newId } from '../platform/common/ids.js';
import { OutgoingHooksSettings } from './outgoing-hooks.settings.js';
import type { OwnerStateFilter } from '../messaging/owners/owner-states.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { pictureUrl } from '../messaging/posts/content/safe-url.js';
import { Settings } from '../platform/config/settings.js';
import { requireLocalUser } from '../messaging/users/users.policy.js';
import { UsersService } from '../messaging/users/users.service.js';
import { type GivenCredentials, HookCredentials, NO_CREDENTIALS } from './credentials/hook-credentials.js';
import type {
  CreateOutgoingHookDto,
  PatchOutgoingHookDto,
  UpdateOutgoingHookDto,
} from './dto/write-outgoing-hook.dto.js';
import {
  changeOf,
  contentTypeOf,
  requireUnchanged,
  requireValidHook,
  requireValidTriggers,
  type TriggersOfNew,
} from './outgoing-hook.rules.js';
import { OutgoingHookChecks, requireTriggers, withSetter } from './outgoing-hook.checks.js';
import { HEALTHY, OutgoingHookRecords } from './outgoing-hook-records.js';
import { OutgoingHookListsReadModel } from './outgoing-hook-lists.read-model.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import {
  outgoingHookIdGiven,
  OutgoingHookNotFound,
  outgoingHooksDisabled,
  teamMismatch,
  tooManyOutgoingHooksInTeam,
  tooManyOutgoingHooksOfUser,
} from './outgoing-hooks.errors.js';
import { OutgoingHooksPolicy } from './outgoing-hooks.policy.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

export interface HookQuery {
  readonly teamId: string | undefined;
  readonly channelId: string | undefined;
  readonly ownerState: OwnerStateFilter | undefined;
  /** The id of the last hook of the previous page. */
  readonly after: string | undefined;
}

/** The use cases of outgoing webhooks. The contract fixes the order of checks (docs/contract/outgoing-webhooks.md). */
@Injectable()
export class OutgoingHooksService {
  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly lists: OutgoingHookListsReadModel,
    private readonly records: OutgoingHookRecords,
    private readonly policy: OutgoingHooksPolicy,
    private readonly secrets: OutgoingHookSecrets,
    private readonly credentials: HookCredentials,
    private readonly channels: ChannelsService,
    private readonly checks: OutgoingHookChecks,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly settings: OutgoingHooksSettings,
    private readonly platform: Settings,
  ) {}

  async create(actor: Actor, input: CreateOutgoingHookDto): Promise<OutgoingHook> {
    const { team_id: teamId, channel_id: channelId } = input;
    if (actor.kind === 'local' && input.creator_id === '')
      throw new InvalidBodyParam('creator_id', 'local mode has no user, so the owner must be given');
    await this.policy.requireCreate(actor, teamId);
    const creatorId = await this.ownerOf(actor, input.creator_id, teamId);
    this.requireEnabled();
    await this.checks.requireNewPlace({ teamId, channelId });
    await this.policy.requireCreator(creatorId, teamId);
    const now = this.clock.now();
    const id = newId();
    const hook: OutgoingHook = {
      id,
      ...{ createAt: now, updateAt: now, deleteAt: 0 },
      creatorId,
      setBy: actor.userId,
      channelId,
      teamId,
      triggerWords: input.trigger_words,
      triggerWhen: input.trigger_when,
      callbackUrls: input.callback_urls,
      displayName: input.display_name,
      description: input.description,
      contentType: contentTypeOf(input.content_type),
      username: input.username,
      iconUrl: pictureUrl(input.icon_url),
      ...{ events: input.events, botUserId: input.bot_user_id, includeBots: input.include_bots },
      ...{ ...this.secrets.create(id), ...HEALTHY, ...NO_CREDENTIALS },
      ...{ announcedPause: '', enabledAt: 0, delivery: input.delivery },
      ...{ ordering: input.ordering, requestsPerSecond: input.requests_per_second },
    };
    const isLimited = !(await this.policy.canSeeOthers(actor, { teamId }));
    this.audit.concerns({ id });
    await this.records.lockTeam(teamId, async () => {
      requireTriggers(hook);
      await this.checks.requireDistinct(hook, 'create');
      if (input.id !== '') throw outgoingHookIdGiven();
      requireValidHook(hook);
      await this.checks.requireBot(actor, hook);
      Object.assign(hook, this.credentials.changeOf(hook, input));
      await this.requireRoom(hook, isLimited);
      await this.records.insert(hook);
    });
    return hook;
  }

  async list(actor: Actor, query: HookQuery, page: Page): Promise<OutgoingHook[]> {
    const { teamId, channelId, ownerState, after } = query;
    if (channelId !== undefined && (await this.policy.mayKnowChannels(actor)))
      await this.channels.get(channelId);
    const filter = { ...(await this.policy.visible(actor, teamId, channelId)), ownerState };
    this.requireEnabled();
    return this.lists.list(filter, page, after);
  }

  /** Requires the actor to have permission to manage it. Throws OutgoingHookNotFound, `permissionDenied`. */
  async get(actor: Actor, id: string): Promise<OutgoingHook> {
    this.requireEnabled();
    const hook = await this.records.load(id);
    await this.policy.requireManage(actor, hook);
    return hook;
  }

  /** Like `get`, but requires full access to the hook. */
  async getForUse(actor: Actor, id: string): Promise<OutgoingHook> {
    this.requireEnabled();
    const hook = await this.records.load(id);
    await this.policy.requireUse(actor, hook);
    return hook;
  }

  /** Like `getForUse`, but also returns a deleted hook, for its delivery log. */
  async getEvenDeleted(actor: Actor, id: string): Promise<OutgoingHook> {
    this.requireEnabled();
    const hook = await this.repository.findEvenDeleted(id);
    if (!hook) throw new OutgoingHookNotFound();
    await this.policy.requireUse(actor, hook);
    return hook;
  }

  /** Like `getEvenDeleted` for many hooks; hooks it would refuse are omitted. */
  async listEvenDeleted(actor: Actor, ids: readonly string[]): Promise<OutgoingHook[]> {
    this.requireEnabled();
    return this.policy.usable(actor, await this.repository.listEvenDeleted(ids));
  }

  async update(actor: Actor, id: string, input: UpdateOutgoingHookDto): Promise<OutgoingHook> {
    if (input.id !== id)
      throw new InvalidBodyParam('hook_id', 'the id in the body must be the one in the path');
    return this.use(actor, id, input.team_id, (hook) => {
      requireUnchanged(hook, input, this.platform.siteUrl);
      return this.change(
        actor,
        hook,
        {
          channelId: input.channel_id,
          displayName: input.display_name,
          description: input.description,
          ...definedOnly({ username: input.username, iconUrl: input.icon_url }),
        },
        input,
      );
    });
  }

  async patch(actor: Actor, id: string, input: PatchOutgoingHookDto): Promise<OutgoingHook> {
    return this.use(actor, id, input.team_id, (hook) => this.change(actor, hook, changeOf(input), input));
  }

  /** A hook before and after a PATCH, with the same checks as PATCH. Nothing is locked or stored. */
  async preview(
    actor: Actor,
    id: string,
    change: Partial<OutgoingHook>,
  ): Promise<{ readonly now: OutgoingHook; readonly then: OutgoingHook }> {
    const now = await this.getForUse(actor, id);
    await this.checks.requireChange(actor, now, change);
    return { now, then: { ...now, ...withSetter(actor, now, change) } };
  }

  async previewNew(actor: Actor, triggers: TriggersOfNew): Promise<void> {
    await this.policy.requireCreate(actor, triggers.teamId);
    this.requireEnabled();
    await this.checks.requireNewPlace(triggers);
    requireTriggers(triggers);
    requireValidTriggers(triggers);
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.alter(
      id,
      '',
      (hook) => this.policy.requireManage(actor, hook),
      (hook) => this.records.remove(hook, this.clock.now()),
    );
  }

  /** Generates a new token and a new signing secret; the old secret keeps signing for SIGNING_OVERLAP. */
  async regenerate(actor: Actor, id: string): Promise<OutgoingHook> {
    return this.use(actor, id, '', (hook) => {
      const secrets = this.secrets.replace(hook, this.clock.now(), this.platform.signingOverlapMs);
      return this.records.save(hook, secrets);
    });
  }

  async enable(actor: Actor, id: string): Promise<OutgoingHook> {
    return this.use(actor, id, '', (hook) => this.records.enable(hook));
  }

  private use<T>(
    actor: Actor,
    id: string,
    teamId: string,
    work: (hook: OutgoingHook) => Promise<T>,
  ): Promise<T> {
    return this.alter(id, teamId, (hook) => this.policy.requireUse(actor, hook), work);
  }

  /** Changes a hook if the policy allows it. A non-empty `teamId` must match the hook's team. */
  private async alter<T>(
    id: string,
    teamId: string,
    requireAllowed: (hook: OutgoingHook) => Promise<void>,
    work: (hook: OutgoingHook) => Promise<T>,
  ): Promise<T> {
    this.requireEnabled();
    const known = await this.records.load(id);
    if (teamId !== '' && teamId !== known.teamId) throw teamMismatch();
    await requireAllowed(known);
    return this.records.alter(known, async (hook) => {
      const isMoved = hook.channelId !== known.channelId || hook.botUserId !== known.botUserId;
      if (isMoved) await requireAllowed(hook); // in the meantime
      return work(hook);
    });
  }

  private async change(
    actor: Actor,
    hook: OutgoingHook,
    wanted: Partial<OutgoingHook>,
    credentials: GivenCredentials,
  ): Promise<OutgoingHook> {
    const change = wanted.iconUrl === undefined ? wanted : { ...wanted, iconUrl: pictureUrl(wanted.iconUrl) };
    await this.checks.requireChange(actor, hook, change);
    const { callbackUrls } = change;
    const saved = {
      ...withSetter(actor, hook, change),
      ...this.credentials.changeOf(hook, credentials, callbackUrls),
    };
    return callbackUrls
      ? this.records.saveWithUrls(hook, { ...saved, callbackUrls })
      : this.records.save(hook, saved);
  }

  /** `isLimited`: the limit per person applies too (docs/contract/outgoing-webhooks.md#create). */
  private async requireRoom({ teamId, creatorId }: OutgoingHook, isLimited: boolean): Promise<void> {
    const person = await this.users.personOf(creatorId);
    const { inTeam, ofPerson } = await this.lists.countInTeam(teamId, person);
    const { outgoingWebhooksPerTeam: perTeam, outgoingWebhooksPerUser: perUser } = this.settings;
    if (inTeam >= perTeam) throw tooManyOutgoingHooksInTeam(perTeam);
    if (isLimited && ofPerson >= perUser) throw tooManyOutgoingHooksOfUser(perUser);
  }

  private async ownerOf(actor: Actor, wanted: string, teamId: string): Promise<string> {
    if (wanted === '' || wanted === actor.userId) return actor.userId;
    await this.policy.requireOwner(actor, wanted, teamId);
    const user = await this.users.get(wanted);
    requireLocalUser(user, 'creator_id');
    return user.id;
  }

  requireEnabled(): void {
    if (!this.settings.enableOutgoingWebhooks) throw outgoingHooksDisabled();
  }
}
