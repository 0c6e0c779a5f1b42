import { ApiProperty } from '@nestjs/swagger';
import { effectiveRoles } from '../../permissions/permissions.service.js';
import type { ChannelMember } from '../channel-member.entity.js';
import type { TeamUnread } from '../channel-members.service.js';

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

export class ChannelViewedDto {
  @ApiProperty({ enum: ['OK'], example: 'OK' }) status: 'OK';
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { k4tdzcm5wtd5jfzn8u5fxpbkjr: 1_700_000_000_000 },
  })
  last_viewed_at_times: Record<string, number>;
}

/** The folders of a user's channel list: not kept on this server. */
export class ChannelCategoriesDto {
  @ApiProperty({ type: [String], example: [] }) order: string[];
  @ApiProperty({ type: 'array', items: { type: 'object' }, example: [] }) categories: object[];
}

/** The threads a user follows: not kept on this server. */
export class UserThreadsDto {
  @ApiProperty({ example: 0 }) total: number;
  @ApiProperty({ example: 0 }) total_unread_threads: number;
  @ApiProperty({ example: 0 }) total_unread_mentions: number;
  @ApiProperty({ type: 'array', items: { type: 'object' }, example: [] }) threads: object[];
}
