import { ApiProperty } from '@nestjs/swagger';
import { effectiveRoles } from '../../permissions/permissions.service.js';
import type { ChannelMember } from '../channel-member.entity.js';
import type { MemberWithTeam } from '../channel-list.read-model.js';
import type { SidebarCategory } from '../sidebar.service.js';
import type { ChannelUnread, TeamUnread } from '../unread.service.js';

/** A membership in a channel as it leaves the server (docs/contract/messaging.md#channel-members). */
export class ChannelMemberDto {
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) channel_id: string;
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ description: 'All roles, those of the scheme included.', example: 'channel_user' })
  roles: string;
  @ApiProperty({ description: '-1 in the records of others.', example: 1_700_000_000_000 })
  last_viewed_at: number;
  @ApiProperty({ example: 12 }) msg_count: number;
  @ApiProperty({ example: 0 }) mention_count: number;
  @ApiProperty({ example: 0 }) mention_count_root: number;
  @ApiProperty({ example: 0 }) urgent_mention_count: number;
  @ApiProperty({ example: 10 }) msg_count_root: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { desktop: 'default', mark_unread: 'all' },
  })
  notify_props: Record<string, string>;
  @ApiProperty({ description: '-1 in the records of others.', example: 1_700_000_000_000 })
  last_update_at: number;
  @ApiProperty({ example: false }) scheme_guest: boolean;
  @ApiProperty({ example: true }) scheme_user: boolean;
  @ApiProperty({ example: false }) scheme_admin: boolean;
  @ApiProperty({ description: 'Roles beyond those of the scheme.', example: '' }) explicit_roles: string;
  @ApiProperty({ example: false }) autotranslation_disabled: boolean;

  /** `viewerId` is who reads it: when others were here is nobody's business. */
  static from(member: ChannelMember, viewerId: string): ChannelMemberDto {
    const isOwn = member.userId === viewerId;
    return {
      channel_id: member.channelId,
      user_id: member.userId,
      roles: effectiveRoles('channel', member).join(' '),
      last_viewed_at: isOwn ? member.lastViewedAt : -1,
      msg_count: member.msgCount,
      mention_count: member.mentionCount,
      mention_count_root: member.mentionCountRoot,
      urgent_mention_count: 0,
      msg_count_root: member.msgCountRoot,
      notify_props: member.notifyProps,
      last_update_at: isOwn ? member.lastUpdateAt : -1,
      scheme_guest: member.schemeGuest,
      scheme_user: member.schemeUser,
      scheme_admin: member.schemeAdmin,
      explicit_roles: member.explicitRoles,
      autotranslation_disabled: false,
    };
  }
}

/** A membership in a channel of any team, with what clients need of the team. */
export class ChannelMemberWithTeamDto extends ChannelMemberDto {
  @ApiProperty({ description: 'Empty for a direct or group channel.', example: 'Operations' })
  team_display_name: string;
  @ApiProperty({ example: 'operations' }) team_name: string;
  @ApiProperty({ example: 1_700_000_000_000 }) team_update_at: number;

  static of({ member, team }: MemberWithTeam, viewerId: string): ChannelMemberWithTeamDto {
    return {
      ...ChannelMemberDto.from(member, viewerId),
      team_display_name: team?.displayName ?? '',
      team_name: team?.name ?? '',
      team_update_at: team?.updateAt ?? 0,
    };
  }
}

/** The answer to an addition: one record if one user was named as `user_id`, else a list. */
export function addedMembers(
  added: readonly ChannelMember[],
  namedUserId: string | undefined,
  viewerId: string,
): ChannelMemberDto | ChannelMemberDto[] {
  const [first] = added;
  if (first && added.length === 1 && first.userId === namedUserId)
    return ChannelMemberDto.from(first, viewerId);
  return added.map((member) => ChannelMemberDto.from(member, viewerId));
}

/** What a user has not read in one team. */
export class TeamUnreadDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) team_id: string;
  @ApiProperty({ description: 'Unread messages, muted channels left out.', example: 3 }) msg_count: number;
  @ApiProperty({ example: 1 }) mention_count: number;
  @ApiProperty({ example: 1 }) mention_count_root: number;
  @ApiProperty({ example: 2 }) msg_count_root: number;
  @ApiProperty({ example: 0 }) thread_count: number;
  @ApiProperty({ example: 0 }) thread_mention_count: number;
  @ApiProperty({ example: 0 }) thread_urgent_mention_count: number;

  static from(unread: TeamUnread): TeamUnreadDto {
    return {
      team_id: unread.teamId,
      msg_count: unread.messages,
      mention_count: unread.mentions,
      mention_count_root: unread.mentionsInRoots,
      msg_count_root: unread.roots,
      thread_count: 0,
      thread_mention_count: 0,
      thread_urgent_mention_count: 0,
    };
  }
}

/** What a user has not read in one channel. */
export class ChannelUnreadDto {
  @ApiProperty({ description: 'Empty for a direct or group channel.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  team_id: string;
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) channel_id: string;
  @ApiProperty({ description: 'Unread messages; 0 in a muted channel.', example: 3 }) msg_count: number;
  @ApiProperty({ example: 1 }) mention_count: number;
  @ApiProperty({ example: 1 }) mention_count_root: number;
  @ApiProperty({ example: 0 }) urgent_mention_count: number;
  @ApiProperty({ example: 2 }) msg_count_root: number;

  static from(unread: ChannelUnread): ChannelUnreadDto {
    return {
      team_id: unread.teamId,
      channel_id: unread.channelId,
      msg_count: unread.messages,
      mention_count: unread.mentions,
      mention_count_root: unread.mentionsInRoots,
      urgent_mention_count: 0,
      msg_count_root: unread.roots,
    };
  }
}

export class ChannelViewedDto {
  @ApiProperty({ enum: ['OK'], example: 'OK' }) status: 'OK';
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { k4tdzcm5wtd5jfzn8u5fxpbkjr: 1_700_000_000_000 },
  })
  last_viewed_at_times: Record<string, number>;
}

/** A folder of a user's channel list. */
export class ChannelCategoryDto {
  @ApiProperty({ example: 'channels_q7kdzcm5wtd5jfzn8u5fxpbkjo_b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) team_id: string;
  @ApiProperty({ enum: ['favorites', 'channels', 'direct_messages'] }) type: string;
  @ApiProperty({ example: 'Channels' }) display_name: string;
  @ApiProperty({ example: 10 }) sort_order: number;
  @ApiProperty({ enum: ['', 'recent'], description: 'How clients sort its channels.' }) sorting: string;
  @ApiProperty({ example: false }) muted: boolean;
  @ApiProperty({ example: false }) collapsed: boolean;
  @ApiProperty({ type: [String], example: ['k4tdzcm5wtd5jfzn8u5fxpbkjr'] }) channel_ids: string[];

  static from(category: SidebarCategory): ChannelCategoryDto {
    return {
      id: category.id,
      user_id: category.userId,
      team_id: category.teamId,
      type: category.type,
      display_name: category.displayName,
      sort_order: category.sortOrder,
      sorting: category.sorting,
      muted: false,
      collapsed: false,
      channel_ids: [...category.channelIds],
    };
  }
}

/** The folders of a user's channel list in one team, in order. */
export class ChannelCategoriesDto {
  @ApiProperty({
    type: [String],
    example: ['channels_q7kdzcm5wtd5jfzn8u5fxpbkjo_b1f8zcm5wtd5jfzn8u5fxpbkje'],
  })
  order: string[];
  @ApiProperty({ type: [ChannelCategoryDto] }) categories: ChannelCategoryDto[];

  static from(categories: readonly SidebarCategory[]): ChannelCategoriesDto {
    return {
      order: categories.map(({ id }) => id),
      categories: categories.map((category) => ChannelCategoryDto.from(category)),
    };
  }
}

/** The threads a user follows: not kept on this server. */
export class UserThreadsDto {
  @ApiProperty({ example: 0 }) total: number;
  @ApiProperty({ example: 0 }) total_unread_threads: number;
  @ApiProperty({ example: 0 }) total_unread_mentions: number;
  @ApiProperty({ type: 'array', items: { type: 'object' }, example: [] }) threads: object[];
}
