import { Injectable } from '@nestjs/common';
import { DatabaseCache, idKeys, shortKeys } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import type { Channel } from './channel.entity.js';
import { isChannelName, isDirectName } from './channel.rules.js';
import { type ChannelName, ChannelsRepository } from './channels.repository.js';

const MAX_CHANNEL_BYTES = 16 * 1024 * 1024;
const MAX_NAME_BYTES = 4 * 1024 * 1024;
/** A team id, a space and a name. */
const MAX_NAME_KEY_LENGTH = 26 + 1 + 64;
const MAX_TEAM_NAMES_BYTES = 8 * 1024 * 1024;
const MAX_MEMBER_LIST_BYTES = 64 * 1024 * 1024;

/**
 * Caches channels by id and by name, and the ids of their members. Code that changes a channel must call
 * `forget…` before publishing the event. Cached counters are stale, because new posts do not invalidate them.
 */
@Injectable()
export class ChannelCache {
  private readonly byId: DatabaseCache<Channel | null>;
  private readonly idsByName: DatabaseCache<string | null>;
  private readonly namesOfTeams: DatabaseCache<readonly ChannelName[]>;
  private readonly members: DatabaseCache<readonly string[]>;

  constructor(
    private readonly channels: ChannelsRepository,
    private readonly memberships: ChannelMembersRepository,
    private readonly permissions: PermissionsService,
    unitOfWork: UnitOfWork,
  ) {
    this.byId = new DatabaseCache(unitOfWork, {
      name: 'channels',
      maxBytes: MAX_CHANNEL_BYTES,
      keys: idKeys(null),
      keepsMisses: true,
    });
    this.idsByName = new DatabaseCache(unitOfWork, {
      name: 'channel_names',
      maxBytes: MAX_NAME_BYTES,
      keys: shortKeys(MAX_NAME_KEY_LENGTH, null),
      keepsMisses: true,
    });
    this.namesOfTeams = new DatabaseCache(unitOfWork, {
      name: 'channel_names_of_teams',
      maxBytes: MAX_TEAM_NAMES_BYTES,
      keys: idKeys([]),
    });
    this.members = new DatabaseCache(unitOfWork, {
      name: 'channel_members',
      maxBytes: MAX_MEMBER_LIST_BYTES,
      keys: idKeys([]),
    });
  }

  /** Includes archived channels. */
  find(id: string): Promise<Channel | null> {
    return this.byId.get(id, () => this.channels.findById(id));
  }

  /** Omits archived channels. Direct and group channels are found with any team id. */
  async findByName(teamId: string, name: string): Promise<Channel | null> {
    if (!isChannelName(name)) return null;
    const channel = await this.findExactly(teamId, name);
    return channel ?? (teamId !== '' && isDirectName(name) ? this.findExactly('', name) : null);
  }

  /** The open and private channels of a team, without archived ones. */
  listNames(teamId: string): Promise<readonly ChannelName[]> {
    return this.namesOfTeams.get(teamId, () => this.channels.listNames(teamId));
  }

  /** The ids of a channel's members. */
  memberIds(channelId: string): Promise<readonly string[]> {
    return this.members.get(channelId, () => this.memberships.userIds(channelId));
  }

  /** Invalidates a channel; `names` are its names before and after the change. */
  forget({ id, teamId }: Channel, ...names: readonly string[]): void {
    this.byId.forget(id);
    if (teamId !== '') this.namesOfTeams.forget(teamId);
    for (const name of names) this.idsByName.forget(keyOf(teamId, name));
    this.permissions.forgetChannel(id);
  }

  /** Invalidates the memberships of these users in a channel. */
  forgetMembers(channelId: string, userIds: readonly string[]): void {
    this.members.forget(channelId);
    for (const userId of userIds) this.permissions.forgetChannelMember(userId, channelId);
  }

  private async findExactly(teamId: string, name: string): Promise<Channel | null> {
    const id = await this.idsByName.get(keyOf(teamId, name), async () => {
      return (await this.channels.findByName(teamId, name))?.id ?? null;
    });
    const channel = id === null ? null : await this.find(id);
    return channel?.name === name ? unlessArchived(channel) : null;
  }
}

const keyOf = (teamId: string, name: string): string => `${teamId} ${name}`;

const unlessArchived = (channel: Channel | null): Channel | null =>
  channel?.deleteAt === 0 ? channel : null;
