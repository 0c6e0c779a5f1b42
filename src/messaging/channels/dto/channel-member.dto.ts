import { ApiProperty } from '@nestjs/swagger';
import type { PipeTransform } from '@nestjs/common';
import { effectiveRoles } from '../../permissions/permissions.service.js';
import type { ChannelMember } from '../channel-member.entity.js';
import type { MemberWithTeam } from '../channels.read-model.js';
import { decodeBody } from '../../../platform/common/dto/body.pipe.js';
import { BodyName, IdField, StringListField } from '../../../platform/common/dto/fields.js';
import { noteReceived } from '../../../platform/common/dto/unknown-fields.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { isId } from '../../../platform/common/ids.js';

const MAX_ADDED = 1000;

/** A channel membership in API responses (docs/contract/messaging.md#channel-members). */
export class ChannelMemberDto {
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) channel_id: string;
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ description: 'All roles, including those of the scheme.', example: 'channel_user' })
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
  @ApiProperty({ description: 'Roles in addition to those of the scheme.', example: '' })
  explicit_roles: string;
  @ApiProperty({ example: false }) autotranslation_disabled: boolean;

  /** `viewerId` is the reader: timestamps of other members are hidden. */
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
      scheme_guest: false,
      scheme_user: member.schemeUser,
      scheme_admin: member.schemeAdmin,
      explicit_roles: member.explicitRoles,
      autotranslation_disabled: false,
    };
  }
}

/** A channel membership with the team fields that clients need. */
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

/** The response to adding members: one record if `user_id` named one user, otherwise a list. */
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

/** Unread counts of a user in one team. */
export class TeamUnreadDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) team_id: string;
  @ApiProperty({ description: 'Unread messages, without muted channels.', example: 3 }) msg_count: number;
  @ApiProperty({ example: 1 }) mention_count: number;
  @ApiProperty({ example: 1 }) mention_count_root: number;
  @ApiProperty({ example: 2 }) msg_count_root: number;
  @ApiProperty({ example: 0 }) thread_count: number;
  @ApiProperty({ example: 0 }) thread_mention_count: number;
  @ApiProperty({ example: 0 }) thread_urgent_mention_count: number;

  static from(teamId: string, counts: UnreadCounts): TeamUnreadDto {
    const threads = { thread_count: 0, thread_mention_count: 0, thread_urgent_mention_count: 0 };
    return { team_id: teamId, ...counts, ...threads };
  }
}

/** Counts of unread messages and mentions; roots are messages that are not replies. */
export type UnreadCounts = Pick<
  TeamUnreadDto,
  'msg_count' | 'msg_count_root' | 'mention_count' | 'mention_count_root'
>;

/** Unread counts of a user in one channel. */
export class ChannelUnreadDto {
  @ApiProperty({ description: 'Empty for a direct or group channel.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  team_id: string;
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) channel_id: string;
  @ApiProperty({ description: 'Unread messages; 0 in a muted channel.', example: 3 }) msg_count: number;
  @ApiProperty({ example: 1 }) mention_count: number;
  @ApiProperty({ example: 1 }) mention_count_root: number;
  @ApiProperty({ example: 0 }) urgent_mention_count: number;
  @ApiProperty({ example: 2 }) msg_count_root: number;
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

/** A category of a user's channel list. */
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
}

/** The categories of a user's channel list in one team, in order. */
export class ChannelCategoriesDto {
  @ApiProperty({
    type: [String],
    example: ['channels_q7kdzcm5wtd5jfzn8u5fxpbkjo_b1f8zcm5wtd5jfzn8u5fxpbkje'],
  })
  order: string[];
  @ApiProperty({ type: [ChannelCategoryDto] }) categories: ChannelCategoryDto[];
}

/** The threads that a user follows, which this server does not track. */
export class UserThreadsDto {
  @ApiProperty({ example: 0 }) total: number;
  @ApiProperty({ example: 0 }) total_unread_threads: number;
  @ApiProperty({ example: 0 }) total_unread_mentions: number;
  @ApiProperty({ type: 'array', items: { type: 'object' }, example: [] }) threads: object[];
}

@BodyName('channel_member')
export class AddChannelMemberDto {
  @IdField({ description: 'The user to add; returns one record.', example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' })
  user_id?: string;
  @StringListField({
    description: 'Several users to add, at most 1000; returns a list.',
    example: ['q7kdzcm5wtd5jfzn8u5fxpbkjo'],
  })
  user_ids?: string[];
  @IdField({ description: 'The post of the invitation; only its shape is validated.', example: '' })
  post_root_id = '';
}

/** The user ids in the body, without duplicates. Throws InvalidBodyParam. */
export function wantedUsers({ user_id, user_ids, post_root_id }: AddChannelMemberDto): string[] {
  const ids = user_ids ?? (user_id === undefined ? [] : [user_id]);
  const name = user_ids ? 'user_ids' : 'user_id or user_ids';
  if (ids.length === 0 || ids.length > MAX_ADDED)
    throw new InvalidBodyParam(name, `it must name 1 to ${MAX_ADDED} users`);
  if (!ids.every(isId)) throw new InvalidBodyParam(name, 'ids have 26 letters and digits');
  if (post_root_id !== '' && !isId(post_root_id))
    throw new InvalidBodyParam('post_root_id', 'it must be 26 letters and digits');
  return [...new Set(ids)];
}

@BodyName('channel_view')
export class ViewChannelDto {
  @IdField({
    description: 'The opened channel; empty when the window loses the focus.',
    example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr',
  })
  channel_id = '';
  @IdField({ description: 'The channel that was left; may be empty.', example: '' }) prev_channel_id = '';
}

/** A body that is an object of strings, such as settings. */
export class StringMapBody implements PipeTransform {
  constructor(private readonly name: string) {}

  transform(value: unknown): Record<string, string> {
    const map = Buffer.isBuffer(value) ? decodeBody(value, this.name) : value;
    if (typeof map !== 'object' || map === null || Array.isArray(map)) {
      throw new InvalidBodyParam(this.name, 'it must be a JSON object');
    }
    const entries = Object.entries(map as Record<string, unknown>);
    const wrong = entries.find(([, text]) => typeof text !== 'string');
    if (wrong) throw new InvalidBodyParam(wrong[0].slice(0, 64), 'it must be a string');
    return noteReceived(value, Object.fromEntries(entries) as Record<string, string>);
  }
}
