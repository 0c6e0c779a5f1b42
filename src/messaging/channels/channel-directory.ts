import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../platform/common/bounded-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import type { Channel } from './channel.entity.js';
import { isChannelName, isDirectName } from './channel.rules.js';
import { ChannelsRepository } from './channels.repository.js';

const MAX_CHANNELS = 20_000;
const MAX_MEMBER_LISTS = 2_000;

/**
 * Channels by id and by name, and who is in them, from memory where possible. Whoever changes one calls `forget…`
 * before the change is announced. The counters of a channel from memory are old: they belong to the posts.
 */
@Injectable()
export class ChannelDirectory {
  private readonly byId = new BoundedCache<Channel | null>(MAX_CHANNELS);
  private readonly idsByName = new BoundedCache<string | null>(MAX_CHANNELS);
  private readonly members = new BoundedCache<readonly string[]>(MAX_MEMBER_LISTS);

  constructor(
    private readonly channels: ChannelsRepository,
    private readonly membersOf: ChannelMembersRepository,
    private readonly permissions: PermissionsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Archived channels are found too. */
  find(id: string): Promise<Channel | null> {
    const load = (): Promise<Channel | null> => this.channels.findById(id);
    return this.unitOfWork.isOpen ? load() : this.byId.get(id, load);
  }

  /** A channel that is not archived; the names of direct and group channels are found from every team. */
  async findByName(teamId: string, name: string): Promise<Channel | null> {
    if (!isChannelName(name)) return null;
    const channel = await this.findExactly(teamId, name);
    return channel ?? (teamId !== '' && isDirectName(name) ? this.findExactly('', name) : null);
  }

  /** The users in a channel, by id. */
  memberIds(channelId: string): Promise<readonly string[]> {
    const load = (): Promise<readonly string[]> => this.membersOf.userIds(channelId);
    return this.unitOfWork.isOpen ? load() : this.members.get(channelId, load);
  }

  /** After the commit: drops what is known of a channel; `names` are those it had and has. */
  forgetAfterCommit({ id, teamId }: Channel, ...names: readonly string[]): void {
    this.unitOfWork.afterCommit(() => {
      this.byId.forget(id);
      for (const name of names) this.idsByName.forget(keyOf(teamId, name));
      this.permissions.forgetChannel(id);
    });
  }

  /** After the commit: drops what is known of the memberships of these users. */
  forgetMembersAfterCommit(channelId: string, userIds: readonly string[]): void {
    this.unitOfWork.afterCommit(() => {
      this.members.forget(channelId);
      for (const userId of userIds) this.permissions.forgetChannelMember(userId, channelId);
    });
  }

  private async findExactly(teamId: string, name: string): Promise<Channel | null> {
    if (this.unitOfWork.isOpen) return unlessArchived(await this.channels.findByName(teamId, name));
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
