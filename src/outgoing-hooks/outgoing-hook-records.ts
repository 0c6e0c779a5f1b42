import { Injectable } from '@nestjs/common';
import { DatabaseCache, idKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { type OutgoingHook, urlsOf } from './outgoing-hook.entity.js';
import { TeamTriggersCache } from './matching/team-triggers-cache.js';
import { NO_CREDENTIALS } from './credentials/hook-credentials.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';
import { Clock } from '../platform/common/clock.js';
import { type DomainEvent, EventBus } from '../platform/events/event-bus.js';
import { InTransaction } from '../platform/events/listeners.js';
import { ChannelArchived } from '../messaging/channels/channels.events.js';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import {
  OutgoingHookCreated,
  OutgoingHookDeleted,
  OutgoingHookDisabled,
  OutgoingHookEnabled,
  OutgoingHookFailing,
  OutgoingHookPaused,
  OutgoingHookRecovered,
  OutgoingHookResumed,
  OutgoingHookUpdated,
} from './outgoing-hooks.events.js';
import { OutgoingHookNotFound } from './outgoing-hooks.errors.js';

const MAX_HOOK_BYTES = 32 * 1024 * 1024;

type HookHealth = Pick<
  OutgoingHook,
  'disabledAt' | 'disabledReason' | 'disabledUrls' | 'failingUrls' | 'lastFailureAt'
>;

export const HEALTHY: HookHealth = {
  disabledAt: 0,
  disabledReason: '',
  disabledUrls: [],
  failingUrls: {},
  lastFailureAt: 0,
};

/** The state for the current callback URLs. `reason` is stored if the hook was enabled before. */
export function healthOf(hook: OutgoingHook, now: number, reason: string): HookHealth {
  const isCalled = (url: string): boolean => hook.callbackUrls.includes(url);
  const { lastFailureAt } = hook;
  const disabledUrls = hook.disabledUrls.filter(isCalled);
  const failingUrls = Object.fromEntries(Object.entries(hook.failingUrls).filter(([url]) => isCalled(url)));
  if (hook.delivery === 'pull' || !hook.callbackUrls.every((url) => disabledUrls.includes(url)))
    return { ...HEALTHY, disabledUrls, failingUrls, lastFailureAt };
  const { disabledAt, disabledReason } =
    hook.disabledAt > 0 ? hook : { disabledAt: now, disabledReason: reason };
  return { disabledAt, disabledReason, disabledUrls, failingUrls, lastFailureAt };
}

type OutgoingHookEvent = new (hookId: string, teamId: string) => DomainEvent;

const ALL_DISABLED = 'All its callback URLs are disabled.';

/** Changes hooks with all consequences: cancelled deliveries, caches and events. Checks no permissions. */
@Injectable()
export class OutgoingHookRecords {
  private readonly cache: DatabaseCache<OutgoingHook | null>;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly triggers: TeamTriggersCache,
    private readonly deliveries: DeliveriesService,
    private readonly teams: TeamsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {
    this.cache = new DatabaseCache(unitOfWork, {
      name: 'outgoing_hooks',
      maxBytes: MAX_HOOK_BYTES,
      keys: idKeys(null),
    });
  }

  /** The current hook, possibly cached; null if unknown or deleted. */
  find(id: string): Promise<OutgoingHook | null> {
    return this.cache.get(id, () => this.repository.find(id));
  }

  /** Like `find`, but returns undefined instead of querying. */
  peek(id: string): OutgoingHook | undefined {
    return this.cache.peek(id) ?? undefined;
  }

  /** The hook, read from the database. Throws OutgoingHookNotFound. */
  async load(id: string): Promise<OutgoingHook> {
    const hook = await this.repository.find(id);
    if (!hook) throw new OutgoingHookNotFound();
    return hook;
  }

  /** Runs a unit of work that locks the hooks of a team against other changes. */
  lockTeam<T>(teamId: string, work: () => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async () => {
      await this.teams.lock(teamId); // the row of the team serves as the lock
      return work();
    });
  }

  /** Locks the hooks of a team and reads the hook again. Throws OutgoingHookNotFound. */
  alter<T>({ id, teamId }: OutgoingHook, work: (hook: OutgoingHook) => Promise<T>): Promise<T> {
    return this.lockTeam(teamId, async () => work(await this.load(id)));
  }

  /** Inserts a hook. Call it inside `lockTeam`. */
  async insert(hook: OutgoingHook): Promise<void> {
    await this.repository.insert(hook);
    if (hook.requestsPerSecond > 0) await this.deliveries.limitRate(hook.id, true);
    await this.publish(hook, OutgoingHookCreated);
  }

  /** Stores a change and returns the changed hook. Call it inside `alter`. */
  async save(
    hook: OutgoingHook,
    change: Partial<OutgoingHook>,
    what: OutgoingHookEvent = OutgoingHookUpdated,
  ): Promise<OutgoingHook> {
    const updateAt = Math.max(this.clock.now(), hook.updateAt + 1);
    if (!(await this.repository.update(hook.id, { ...change, updateAt }))) throw new OutgoingHookNotFound();
    const { requestsPerSecond = hook.requestsPerSecond } = change;
    if (requestsPerSecond !== hook.requestsPerSecond)
      await this.deliveries.limitRate(hook.id, requestsPerSecond > 0);
    await this.publish(hook, what);
    return { ...hook, ...change, updateAt };
  }

  /** Like `save`, but also cancels deliveries to removed URLs. May disable or enable the hook. */
  async saveWithUrls(
    hook: OutgoingHook,
    change: Partial<OutgoingHook> & { readonly callbackUrls: string[] },
  ): Promise<OutgoingHook> {
    const now = this.clock.now();
    const health = healthOf({ ...hook, ...change }, now, ALL_DISABLED);
    const isEnabled = hook.disabledAt > 0 && health.disabledAt === 0;
    const saved = await this.save(hook, { ...change, ...health, ...(isEnabled && { enabledAt: now }) });
    for (const url of urlsOf(hook))
      if (!urlsOf(saved).includes(url)) await this.deliveries.cancel(hook.id, 'url_removed', url);
    const [wasOff, isOff] = [hook.disabledAt > 0, saved.disabledAt > 0];
    if (isOff !== wasOff) await this.publish(hook, isOff ? OutgoingHookDisabled : OutgoingHookEnabled);
    return saved;
  }

  enable(hook: OutgoingHook): Promise<OutgoingHook> {
    return this.save(hook, { ...HEALTHY, enabledAt: this.clock.now() }, OutgoingHookEnabled);
  }

  /** Stores the state of the endpoints. Call it inside `alter`. */
  async setHealth(hook: OutgoingHook, health: Partial<HookHealth>): Promise<void> {
    if ((health.disabledAt ?? 0) > 0 && hook.disabledAt === 0) {
      await this.save(hook, health, OutgoingHookDisabled);
    } else {
      await this.repository.update(hook.id, health);
      this.forget(hook);
    }
    const { failingUrls = hook.failingUrls } = health;
    const [before] = Object.keys(hook.failingUrls);
    const [after] = Object.keys(failingUrls);
    if ((before === undefined) === (after === undefined)) return;
    const Change = after === undefined ? OutgoingHookRecovered : OutgoingHookFailing;
    const { origin } = new URL(after ?? before ?? '');
    await this.events.publish(new Change(hook.id, hook.teamId, origin));
  }

  /** Stores and announces that a hook is paused, or no longer paused (`''`). Call it inside `alter`. */
  async setPause(hook: OutgoingHook, reason: string): Promise<void> {
    await this.repository.update(hook.id, { announcedPause: reason });
    this.forget(hook);
    await this.events.publish(
      reason === ''
        ? new OutgoingHookResumed(hook.id, hook.teamId)
        : new OutgoingHookPaused(hook.id, hook.teamId, reason),
    );
  }

  /** Deletes a hook, and erases its credentials for other servers. */
  async remove(hook: OutgoingHook, deleteAt: number): Promise<void> {
    const change = { ...NO_CREDENTIALS, deleteAt, updateAt: deleteAt };
    if (!(await this.repository.update(hook.id, change))) throw new OutgoingHookNotFound();
    await this.deliveries.cancel(hook.id, 'hook_deleted');
    if (hook.requestsPerSecond > 0) await this.deliveries.limitRate(hook.id, false);
    await this.publish(hook, OutgoingHookDeleted);
  }

  /** Unarchiving does not restore them (docs/contract/outgoing-webhooks.md#cascades). */
  @InTransaction(ChannelArchived)
  async onChannelArchived({ channelId, deleteAt }: ChannelArchived): Promise<void> {
    for (const hook of await this.repository.listInChannelForUpdate(channelId))
      await this.remove(hook, deleteAt);
  }

  private forget({ id, teamId }: OutgoingHook): void {
    this.cache.forget(id);
    this.triggers.changed({ id, teamId });
  }

  private async publish(hook: OutgoingHook, Event: OutgoingHookEvent): Promise<void> {
    this.forget(hook);
    await this.events.publish(new Event(hook.id, hook.teamId));
  }
}
