import { Injectable } from '@nestjs/common';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import { Clock } from '../platform/common/clock.js';
import type { ExpiryRange } from '../platform/common/expiry.js';
import type { Page } from '../platform/common/dto/params.js';
import { type DomainEvent, EventBus } from '../platform/events/event-bus.js';
import { InTransaction } from '../platform/events/listeners.js';
import { ChannelArchived } from '../messaging/channels/channels.events.js';
import { IncomingHooksSettings } from './incoming-hooks.settings.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { type OwnerState, type OwnerStateFilter, OwnerStates } from '../messaging/owners/owner-states.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { IncomingHookDeleted } from './incoming-hooks.events.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { incomingHookNotFound, incomingHooksDisabled } from './incoming-hooks.errors.js';
import { IncomingHookListsReadModel } from './incoming-hook-lists.read-model.js';
import { IncomingHooksPolicy } from './incoming-hooks.policy.js';
import { IncomingHooksRepository, ownedBy } from './incoming-hooks.repository.js';

export interface ShownHook extends IncomingHook {
  readonly ownerState: OwnerState;
}

export interface HookQuery {
  readonly teamId: string | undefined;
  readonly ownerState: OwnerStateFilter | undefined;
  /** ID of the hook before the page. */
  readonly after: string | undefined;
}

export interface HookPage {
  readonly hooks: readonly ShownHook[];
  readonly totalCount: number | undefined;
}

/**
 * Reads and deletes incoming webhooks; `IncomingHookChangesService` creates and changes them. The contract defines the order
 * of checks (docs/contract/incoming-webhooks.md).
 */
@Injectable()
export class IncomingHooksService {
  constructor(
    private readonly repository: IncomingHooksRepository,
    private readonly lists: IncomingHookListsReadModel,
    private readonly policy: IncomingHooksPolicy,
    private readonly channels: ChannelsService,
    private readonly owners: OwnerStates,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: IncomingHooksSettings,
  ) {}

  async list(actor: Actor, query: HookQuery, page: Page, withTotal: boolean): Promise<HookPage> {
    const filter = { ...(await this.policy.visible(actor, query.teamId)), ownerState: query.ownerState };
    this.requireEnabled();
    const hooks = await this.lists.list(filter, page, query.after);
    const totalCount = withTotal ? await this.lists.count(filter) : undefined;
    const states = await this.owners.listOf(hooks.map(ownedBy));
    return {
      hooks: hooks.map((hook, row) =>
        Object.assign(this.repository.current(hook), { ownerState: states[row] ?? 'deleted' }),
      ),
      totalCount,
    };
  }

  async get(actor: Actor, id: string): Promise<ShownHook> {
    this.requireEnabled();
    const hook = await this.load(id);
    const channel = await this.channels.find(hook.channelId);
    if (!channel) throw incomingHookNotFound();
    await this.policy.requireManage(actor, hook, channel);
    return this.shown(hook);
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.get(actor, id);
    const deleteAt = this.clock.now();
    await this.save(id, { deleteAt, updateAt: deleteAt, aliasPath: id }, new IncomingHookDeleted(id));
  }

  /**
   * Deletes the hooks of a channel in the transaction that archives it. Unarchiving does not restore them
   * (docs/contract/incoming-webhooks.md#cascades).
   */
  @InTransaction(ChannelArchived)
  async onChannelArchived({ channelId, deleteAt }: ChannelArchived): Promise<void> {
    const ids = await this.repository.idsInChannel(channelId);
    if (ids.length === 0) return;
    await this.repository.deleteInChannel(channelId, deleteAt);
    for (const id of ids) await this.events.publish(new IncomingHookDeleted(id));
  }

  /** Returns webhooks that are about to expire, for reminders. */
  listExpiring(range: ExpiryRange, limit: number): Promise<IncomingHook[]> {
    return this.repository.listExpiring(range, limit);
  }

  noteReminders(id: string, expiresAt: number, expiryReminders: number): Promise<boolean> {
    return this.repository.noteReminders(id, expiresAt, expiryReminders);
  }

  findOldestOf(userId: string): Promise<IncomingHook | null> {
    return this.repository.findOldestOf(userId);
  }

  /** The hook as shown to those who manage it. */
  async shown(hook: IncomingHook): Promise<ShownHook> {
    return Object.assign(this.repository.current(hook), { ownerState: await this.owners.of(ownedBy(hook)) });
  }

  /** Returns the hook without permission checks. Throws `incomingHookNotFound`. */
  async load(id: string): Promise<IncomingHook> {
    const hook = await this.repository.find(id);
    if (!hook) throw incomingHookNotFound();
    return hook;
  }

  /** Throws `incomingHooksDisabled`. */
  requireEnabled(): void {
    if (!this.settings.enableIncomingWebhooks) throw incomingHooksDisabled();
  }

  /** Stores a change with its event. Throws `incomingHookNotFound`. */
  save(id: string, change: Partial<IncomingHook>, event: DomainEvent): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.update(id, change))) throw incomingHookNotFound();
      await this.events.publish(event);
    });
  }
}
