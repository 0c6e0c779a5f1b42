import { Injectable } from '@nestjs/common';
import type { Channel } from '../channels/channel.entity.js';
import { ChannelsService } from '../channels/channels.service.js';
import { BoundedCache } from '../common/bounded-cache.js';
import { Clock } from '../common/clock.js';
import type { Page } from '../common/dto/params.js';
import { InvalidBodyParam } from '../common/errors/common-errors.js';
import { EventBus } from '../common/events/event-bus.js';
import { newId } from '../common/ids.js';
import { Settings } from '../config/settings.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DeliveriesService } from '../dispatch/deliveries.service.js';
import type { Actor } from '../permissions/actor.js';
import { UsersService } from '../users/users.service.js';
import type { CreateOutgoingHookDto } from './dto/create-outgoing-hook.dto.js';
import type { PatchOutgoingHookDto } from './dto/patch-outgoing-hook.dto.js';
import type { UpdateOutgoingHookDto } from './dto/update-outgoing-hook.dto.js';
import { OutgoingHookChanged } from './events/outgoing-hook-changed.event.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { contentTypeOf, intersects, requireValidHook } from './outgoing-hook.rules.js';
import {
  ChannelRefused,
  FieldNotAccepted,
  HookIntersects,
  OutgoingHookIdGiven,
  OutgoingHookNotFound,
  OutgoingHooksDisabled,
  TeamMismatch,
  TriggersMissing,
} from './outgoing-hooks.errors.js';
import { OutgoingHooksPolicy } from './outgoing-hooks.policy.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

const MAX_CACHED = 10_000;
const MAX_CACHED_TEAMS = 2_000;

/** What was learned about the endpoints of a hook. */
export type HookHealth = Pick<OutgoingHook, 'disabledAt' | 'disabledReason' | 'disabledUrls' | 'failingUrls'>;

const HEALTHY: HookHealth = { disabledAt: 0, disabledReason: '', disabledUrls: [], failingUrls: {} };

/** Outgoing webhooks. The order of checks, and so of answers, is the contract's (spec/webhooks.md 8 and 9). */
@Injectable()
export class OutgoingHooksService {
  private readonly cache = new BoundedCache<OutgoingHook | undefined>(MAX_CACHED);
  private readonly teams = new BoundedCache<readonly OutgoingHook[]>(MAX_CACHED_TEAMS);

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly policy: OutgoingHooksPolicy,
    private readonly secrets: OutgoingHookSecrets,
    private readonly deliveries: DeliveriesService,
    private readonly channels: ChannelsService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async create(actor: Actor, input: CreateOutgoingHookDto): Promise<OutgoingHook> {
    const owner = input.creator_id ?? '';
    if (actor.kind === 'local' && owner === '')
      throw new InvalidBodyParam('creator_id', 'local mode has no user, so the owner must be named');
    const teamId = input.team_id ?? '';
    await this.policy.requireCreate(actor, teamId);
    const creatorId = await this.ownerOf(actor, owner, teamId);
    this.requireEnabled();
    const channelId = input.channel_id ?? '';
    if (channelId !== '') {
      const channel = await this.channels.get(channelId);
      if (channel.type !== 'O') throw ChannelRefused.notOpenOnCreate();
      if (channel.teamId !== teamId) throw ChannelRefused.otherTeam();
    }
    const now = this.clock.now();
    const hook: OutgoingHook = {
      id: newId(),
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      creatorId,
      channelId,
      teamId,
      triggerWords: input.trigger_words ?? [],
      triggerWhen: input.trigger_when ?? 0,
      callbackUrls: input.callback_urls ?? [],
      displayName: input.display_name ?? '',
      description: input.description ?? '',
      contentType: contentTypeOf(input.content_type),
      username: input.username ?? '',
      iconUrl: input.icon_url ?? '',
      ...this.secrets.create(),
      ...HEALTHY,
    };
    await this.unitOfWork.run(async () => {
      await this.requireOwnPlace(hook, 'create');
      if ((input.id ?? '') !== '') throw new OutgoingHookIdGiven();
      requireValidHook(hook);
      await this.repository.insert(hook);
      this.afterCommit(hook, 'created');
    });
    return hook;
  }

  async list(
    actor: Actor,
    teamId: string | undefined,
    channelId: string | undefined,
    page: Page,
  ): Promise<OutgoingHook[]> {
    if (channelId !== undefined && (await this.policy.mayKnowChannels(actor)))
      await this.channels.get(channelId);
    const filter = await this.policy.visible(actor, teamId, channelId);
    this.requireEnabled();
    return this.repository.list(filter, page.offset, page.perPage);
  }

  /** A hook that the actor may manage. Throws OutgoingHookNotFound, PermissionDenied. */
  async get(actor: Actor, id: string): Promise<OutgoingHook> {
    this.requireEnabled();
    const hook = await this.load(id);
    await this.policy.requireManage(actor, hook);
    return hook;
  }

  async update(actor: Actor, id: string, input: UpdateOutgoingHookDto): Promise<OutgoingHook> {
    if (input.id !== id)
      throw new InvalidBodyParam('hook_id', 'the id in the body must be the one in the path');
    this.requireEnabled();
    const hook = await this.load(id);
    if ((input.team_id ?? '') !== '' && input.team_id !== hook.teamId) throw new TeamMismatch();
    await this.policy.requireManage(actor, hook);
    requireUnchanged(hook, input);
    return this.change(actor, hook, {
      channelId: input.channel_id ?? '',
      displayName: input.display_name ?? '',
      description: input.description ?? '',
      ...(input.username === undefined ? {} : { username: input.username }),
      ...(input.icon_url === undefined ? {} : { iconUrl: input.icon_url }),
    });
  }

  async patch(actor: Actor, id: string, input: PatchOutgoingHookDto): Promise<OutgoingHook> {
    const hook = await this.get(actor, id);
    return this.change(actor, hook, {
      ...(input.channel_id === undefined ? {} : { channelId: input.channel_id }),
      ...(input.display_name === undefined ? {} : { displayName: input.display_name }),
      ...(input.description === undefined ? {} : { description: input.description }),
      ...(input.trigger_words === undefined ? {} : { triggerWords: input.trigger_words }),
      ...(input.trigger_when === undefined ? {} : { triggerWhen: input.trigger_when }),
      ...(input.callback_urls === undefined ? {} : { callbackUrls: input.callback_urls }),
      ...(input.content_type === undefined ? {} : { contentType: contentTypeOf(input.content_type) }),
      ...(input.username === undefined ? {} : { username: input.username }),
      ...(input.icon_url === undefined ? {} : { iconUrl: input.icon_url }),
    });
  }

  /** What is waiting to be delivered is cancelled with it. */
  async delete(actor: Actor, id: string): Promise<void> {
    const hook = await this.get(actor, id);
    await this.unitOfWork.run(() => this.remove(hook, this.clock.now(), false));
  }

  /** A new token and a new signing secret; the old secret signs on for SIGNING_OVERLAP. */
  async regenerate(actor: Actor, id: string): Promise<OutgoingHook> {
    const hook = await this.get(actor, id);
    const secrets = this.secrets.replace(hook, this.clock.now(), this.settings.signingOverlapMs);
    return this.save(hook, secrets, 'updated');
  }

  /** On again, with all its URLs. */
  async enable(actor: Actor, id: string): Promise<OutgoingHook> {
    return this.save(await this.get(actor, id), HEALTHY, 'enabled');
  }

  /** Part of archiving a channel: its hooks go with it, and do not come back (spec/webhooks.md 10). */
  async deleteInChannel(channelId: string, deleteAt: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      for (const hook of await this.repository.listInChannel(channelId))
        await this.remove(hook, deleteAt, true);
    });
  }

  /** The hook unless it is unknown or deleted, as every change has left it. */
  async find(id: string): Promise<OutgoingHook | null> {
    if (this.unitOfWork.isOpen) return this.repository.find(id);
    return (await this.cache.get(id, async () => (await this.repository.find(id)) ?? undefined)) ?? null;
  }

  /** All of a team, the oldest first: the same list until one of them changes. */
  listOfTeam(teamId: string): Promise<readonly OutgoingHook[]> {
    const load = (): Promise<readonly OutgoingHook[]> => this.repository.listOfTeam(teamId);
    return this.unitOfWork.isOpen ? load() : this.teams.get(teamId, load);
  }

  /** As listOfTeam, when it is in memory. */
  peekOfTeam(teamId: string): readonly OutgoingHook[] | undefined {
    return this.unitOfWork.isOpen ? undefined : this.teams.peek(teamId);
  }

  /** Notes what was learned about the endpoints. Joins an open unit of work. */
  async setHealth(hook: OutgoingHook, health: HookHealth): Promise<OutgoingHook> {
    if (health.disabledAt > 0 && hook.disabledAt === 0) return this.save(hook, health, 'disabled');
    const updated = { ...hook, ...health };
    await this.unitOfWork.run(async () => {
      await this.repository.update(hook.id, health);
      this.unitOfWork.afterCommit(() => this.forget(hook));
    });
    return updated;
  }

  private async load(id: string): Promise<OutgoingHook> {
    const hook = await this.repository.find(id);
    if (!hook) throw new OutgoingHookNotFound();
    return hook;
  }

  private async change(
    actor: Actor,
    hook: OutgoingHook,
    change: Partial<OutgoingHook>,
  ): Promise<OutgoingHook> {
    const updated = withoutStaleUrls({ ...hook, ...change });
    if (updated.channelId !== '') {
      const channel = await this.channels.get(updated.channelId);
      await this.policy.requireTarget(actor, channel);
      requireSameTeam(hook, channel);
    }
    if (updated.channelId !== hook.channelId) await this.policy.requireManage(actor, hook, updated);
    return this.unitOfWork.run(async () => {
      await this.requireOwnPlace(updated, 'update');
      requireValidHook(updated);
      const { disabledUrls, failingUrls } = updated;
      return this.save(hook, { ...change, disabledUrls, failingUrls }, 'updated');
    });
  }

  /** Steps 6 and 7 of spec/webhooks.md 8.1: it must not fire on everything, nor twice. */
  private async requireOwnPlace(hook: OutgoingHook, action: 'create' | 'update'): Promise<void> {
    if (hook.channelId === '' && hook.triggerWords.length === 0) throw new TriggersMissing();
    const others = await this.repository.listInPlace(hook.teamId, hook.channelId);
    if (others.some((other) => intersects(hook, other))) throw new HookIntersects(action);
  }

  private async ownerOf(actor: Actor, wanted: string, teamId: string): Promise<string> {
    if (wanted === '' || wanted === actor.userId) return actor.userId;
    await this.policy.requireOwner(actor, wanted, teamId);
    return (await this.users.get(wanted)).id;
  }

  private requireEnabled(): void {
    if (!this.settings.enableOutgoingWebhooks) throw new OutgoingHooksDisabled();
  }

  private async remove(hook: OutgoingHook, deleteAt: number, isCascade: boolean): Promise<void> {
    const isGone = !(await this.repository.update(hook.id, { deleteAt, updateAt: deleteAt }));
    if (isGone && !isCascade) throw new OutgoingHookNotFound();
    await this.deliveries.cancel(hook.id, 'hook_deleted');
    this.afterCommit(hook, 'deleted');
  }

  private save(
    hook: OutgoingHook,
    change: Partial<OutgoingHook>,
    what: OutgoingHookChanged['change'],
  ): Promise<OutgoingHook> {
    const updateAt = Math.max(this.clock.now(), hook.updateAt + 1);
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.update(hook.id, { ...change, updateAt }))) throw new OutgoingHookNotFound();
      this.afterCommit(hook, what);
      return { ...hook, ...change, updateAt };
    });
  }

  private afterCommit(hook: OutgoingHook, change: OutgoingHookChanged['change']): void {
    this.unitOfWork.afterCommit(() => {
      this.forget(hook);
      this.events.announce(new OutgoingHookChanged(hook.id, hook.teamId, change));
    });
  }

  private forget({ id, teamId }: OutgoingHook): void {
    this.cache.forget(id);
    this.teams.forget(teamId);
  }
}

function requireSameTeam(hook: OutgoingHook, channel: Channel): void {
  if (channel.teamId !== hook.teamId) throw ChannelRefused.otherTeam();
}

/** D7: these are sent back by stock clients, and must not be lost in silence when they were changed. */
function requireUnchanged(hook: OutgoingHook, input: UpdateOutgoingHookDto): void {
  const sent: readonly (readonly [string, unknown, unknown])[] = [
    ['trigger_words', input.trigger_words, hook.triggerWords],
    ['trigger_when', input.trigger_when, hook.triggerWhen],
    ['callback_urls', input.callback_urls, hook.callbackUrls],
    ['content_type', input.content_type && contentTypeOf(input.content_type), hook.contentType],
  ];
  for (const [field, value, stored] of sent) {
    const isAbsent = value === undefined || value === '';
    if (!isAbsent && JSON.stringify(value) !== JSON.stringify(stored)) throw new FieldNotAccepted(field);
  }
}

/** What was learned about URLs that are no longer called is of no use. */
function withoutStaleUrls(hook: OutgoingHook): OutgoingHook {
  const isUsed = (url: string): boolean => hook.callbackUrls.includes(url);
  return {
    ...hook,
    disabledUrls: hook.disabledUrls.filter(isUsed),
    failingUrls: Object.fromEntries(Object.entries(hook.failingUrls).filter(([url]) => isUsed(url))),
  };
}
