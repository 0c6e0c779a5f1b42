import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import {
  ChannelConverted,
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelMemberUpdated,
} from '../../messaging/channels/channels.events.js';
import { RoleUpdated } from '../../messaging/permissions/permissions.events.js';
import {
  TeamMemberAdded,
  TeamMemberRemoved,
  TeamMemberRolesUpdated,
} from '../../messaging/teams/teams.events.js';
import { UserActivationChanged, UserRolesUpdated, UserUpdated } from '../../messaging/users/users.events.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { On } from '../../platform/events/listeners.js';
import { OutgoingHookCreated, OutgoingHookUpdated } from '../outgoing-hooks.events.js';
import { type HookSlice, OutgoingHookListsReadModel } from '../outgoing-hook-lists.read-model.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';
import type { TeamTriggers } from '../matching/team-triggers.js';
import { TeamTriggersCache } from '../matching/team-triggers-cache.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHookNotFound } from '../outgoing-hooks.errors.js';
import { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { EventRights } from '../events/event-rights.js';

type FindHooks = () => Promise<readonly OutgoingHook[]>;
/** The reason for a scan of all hooks; a newer scan for the same reason replaces an older one. */
type Walk = 'orphaned' | 'restricted';

/** Announces when hooks are paused or resumed. `EventRights` decides, for each message, whether they fire. */
@Injectable()
export class PauseWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  /** A scan of all hooks handles this many at a time, then pauses to let other work run. */
  readonly limits = { slice: 500, pauseMs: 20 };
  private readonly logger = new Logger(PauseWatch.name);
  private last: Promise<void> = Promise.resolve();
  private isStopped = false;
  private readonly walks: Record<Walk, number> = { orphaned: 0, restricted: 0 };

  constructor(
    private readonly rights: EventRights,
    private readonly hooks: OutgoingHookRecords,
    private readonly triggers: TeamTriggersCache,
    private readonly repository: OutgoingHooksRepository,
    private readonly lists: OutgoingHookListsReadModel,
    private readonly channels: ChannelsService,
  ) {}

  /** The settings may have changed since the last start. */
  onApplicationBootstrap(): void {
    this.isStopped = false;
    this.noteAll('orphaned', (afterId, limit) => this.lists.listOrphanedIds(afterId, limit));
  }

  onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    return this.last;
  }

  @On(OutgoingHookCreated)
  @On(OutgoingHookUpdated)
  onHook({ hookId }: { readonly hookId: string }): void {
    this.note(() => this.found([hookId]));
  }

  @On(ChannelMemberAdded)
  @On(ChannelMemberRemoved)
  @On(ChannelMemberUpdated)
  onChannelMember({ channelId, userId }: { readonly channelId: string; readonly userId: string }): void {
    this.note(async () => {
      const hooks = (await this.ofTeamOf(channelId))?.ofPerson(userId) ?? [];
      return hooks.filter((hook) => hook.channelId === channelId);
    });
  }

  @On(ChannelConverted)
  onChannel({ channelId }: ChannelConverted): void {
    this.note(async () => {
      const hooks = (await this.ofTeamOf(channelId))?.all ?? [];
      return hooks.filter((hook) => hook.channelId === channelId);
    });
  }

  @On(TeamMemberAdded)
  @On(TeamMemberRemoved)
  @On(TeamMemberRolesUpdated)
  onTeamMember({ teamId, userId }: { readonly teamId: string; readonly userId: string }): void {
    this.note(async () => (await this.triggers.get(teamId)).ofPerson(userId));
  }

  @On(UserActivationChanged)
  @On(UserRolesUpdated)
  @On(UserUpdated)
  onUser({ userId }: { readonly userId: string }): void {
    this.note(() => this.repository.listOfPerson(userId));
  }

  @On(RoleUpdated)
  onRole(): void {
    this.noteAll('restricted', (afterId, limit) => this.lists.listRestrictedIds(afterId, limit));
  }

  /** Scans in slices, so other changes wait for one slice at most. A newer walk replaces an older one. */
  private noteAll(walk: Walk, list: (afterId: string, limit: number) => Promise<HookSlice>): void {
    const number = ++this.walks[walk];
    const noteSlice = (afterId: string): void =>
      this.note(async () => {
        if (number !== this.walks[walk]) return [];
        const { ids, lastId } = await list(afterId, this.limits.slice);
        if (lastId !== undefined && !this.isStopped)
          setTimeout(() => this.isStopped || noteSlice(lastId), this.limits.pauseMs).unref();
        return this.found(ids);
      });
    noteSlice('');
  }

  private async ofTeamOf(channelId: string): Promise<TeamTriggers | undefined> {
    const channel = await this.channels.find(channelId);
    return channel && channel.teamId !== '' ? this.triggers.get(channel.teamId) : undefined;
  }

  private async found(ids: readonly string[]): Promise<OutgoingHook[]> {
    const hooks: OutgoingHook[] = [];
    for (const id of ids) {
      const hook = await this.hooks.find(id);
      if (hook) hooks.push(hook);
    }
    return hooks;
  }

  private note(find: FindHooks): void {
    this.last = this.last.then(async () => {
      try {
        for (const hook of await find()) {
          await setImmediate();
          await this.examine(hook);
        }
      } catch (error) {
        if (!isDatabaseUnavailable(error)) this.logger.error('A pause cannot be announced.', stackOf(error));
      }
    });
  }

  private async examine(known: OutgoingHook): Promise<void> {
    if ((await this.changeOf(known)) === undefined) return;
    try {
      await this.hooks.alter(known, async (hook) => {
        const change = await this.changeOf(hook); // evaluated again, now that the hook is locked
        if (change !== undefined) await this.hooks.setPause(hook, change);
      });
    } catch (error) {
      if (!(error instanceof OutgoingHookNotFound)) throw error; // otherwise deleted in the meantime
    }
  }

  private async changeOf(hook: OutgoingHook): Promise<string | undefined> {
    const reason = (await this.rights.pausedReason(hook)) ?? '';
    return reason === hook.announcedPause ? undefined : reason;
  }
}
