import { Injectable } from '@nestjs/common';
import type { Actor } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { UserPermission } from '../users/users.permissions.js';
import { ChannelListReadModel } from './channel-list.read-model.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelsPolicy } from './channels.policy.js';

const KINDS = [
  { type: 'favorites', displayName: 'Favorites', sortOrder: 0, sorting: '' },
  { type: 'channels', displayName: 'Channels', sortOrder: 10, sorting: '' },
  { type: 'direct_messages', displayName: 'Direct Messages', sortOrder: 20, sorting: 'recent' },
] as const;

type Kind = (typeof KINDS)[number];

/** A folder of a user's channel list in one team. */
export type SidebarCategory = Kind & {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string;
  readonly channelIds: readonly string[];
};

/**
 * The three folders that a channel list starts with (docs/contract/messaging.md#sidebar-categories). They follow from
 * memberships and from the preferences of the category `favorite_channel`; others are not stored.
 */
@Injectable()
export class SidebarService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly list: ChannelListReadModel,
    private readonly policy: ChannelsPolicy,
    private readonly permissions: PermissionsService,
  ) {}

  /** Throws `permissionDenied`. */
  async categories(actor: Actor, userId: string, teamId: string): Promise<SidebarCategory[]> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    await this.policy.requireViewTeam(actor, teamId);
    const listed = await this.channels.listOfUser(userId, {
      teamId,
      includeArchived: false,
      archivedSince: 0,
    });
    const favorites = await this.list.favoriteIds(userId);
    const idsOf: Record<Kind['type'], string[]> = { favorites: [], channels: [], direct_messages: [] };
    for (const { id, teamId: channelTeamId } of listed)
      idsOf[favorites.has(id) ? 'favorites' : channelTeamId === '' ? 'direct_messages' : 'channels'].push(id);
    return KINDS.map((kind) => ({
      ...kind,
      id: `${kind.type}_${userId}_${teamId}`,
      userId,
      teamId,
      channelIds: idsOf[kind.type],
    }));
  }
}
