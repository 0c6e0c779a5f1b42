import { ApiProperty } from '@nestjs/swagger';
import type { Channel } from '../channel.entity.js';
import type { ChannelStats } from '../channels.service.js';

/** A channel as it leaves the server (docs/contract/messaging.md#channels). */
export class ChannelDto {
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Above 0: archived since.', example: 0 }) delete_at: number;
  @ApiProperty({ description: 'Empty for direct and group channels.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  team_id: string;
  @ApiProperty({
    description: '`O` open, `P` private, `D` direct, `G` group.',
    enum: ['O', 'P', 'D', 'G'],
    example: 'O',
  })
  type: string;
  @ApiProperty({ example: 'Town Square' }) display_name: string;
  @ApiProperty({ example: 'town-square' }) name: string;
  @ApiProperty({ example: '' }) header: string;
  @ApiProperty({ example: '' }) purpose: string;
  @ApiProperty({ example: 1_700_000_000_000 }) last_post_at: number;
  @ApiProperty({ example: 12 }) total_msg_count: number;
  @ApiProperty({ example: 0 }) extra_update_at: number;
  @ApiProperty({
    description: 'Empty for default channels, and for direct ones that a webhook has begun.',
    example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo',
  })
  creator_id: string;
  @ApiProperty({ type: String, nullable: true, example: null }) scheme_id: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null }) props: Record<
    string,
    unknown
  > | null;
  @ApiProperty({ type: Boolean, nullable: true, example: null }) group_constrained: boolean | null;
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'True while other servers share it, else null.',
    example: null,
  })
  shared: boolean | null;
  @ApiProperty({ example: 10 }) total_msg_count_root: number;
  @ApiProperty({ type: String, nullable: true, example: null }) policy_id: string | null;
  @ApiProperty({ example: 1_700_000_000_000 }) last_root_post_at: number;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  banner_info: Record<string, unknown> | null;
  @ApiProperty({ example: false }) policy_enforced: boolean;
  @ApiProperty({ example: false }) policy_is_active: boolean;
  @ApiProperty({ example: '' }) default_category_name: string;
  @ApiProperty({ example: false }) autotranslation: boolean;

  static from(channel: Channel): ChannelDto {
    return {
      id: channel.id,
      create_at: channel.createAt,
      update_at: channel.updateAt,
      delete_at: channel.deleteAt,
      team_id: channel.teamId,
      type: channel.type,
      display_name: channel.displayName,
      name: channel.name,
      header: channel.header,
      purpose: channel.purpose,
      last_post_at: channel.lastPostAt,
      total_msg_count: channel.totalMsgCount,
      extra_update_at: 0,
      creator_id: channel.creatorId,
      scheme_id: null,
      props: null,
      group_constrained: null,
      shared: channel.shared || null,
      total_msg_count_root: channel.totalMsgCountRoot,
      policy_id: null,
      last_root_post_at: channel.lastRootPostAt,
      banner_info: null,
      policy_enforced: false,
      policy_is_active: false,
      default_category_name: '',
      autotranslation: false,
    };
  }
}

export class ChannelStatsDto {
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) channel_id: string;
  @ApiProperty({ example: 12 }) member_count: number;
  @ApiProperty({ example: 0 }) guest_count: number;
  @ApiProperty({ example: 1 }) pinnedpost_count: number;
  @ApiProperty({ description: '-1 with `exclude_files_count`.', example: 0 }) files_count: number;

  static from(channelId: string, stats: ChannelStats, excludesFiles: boolean): ChannelStatsDto {
    return {
      channel_id: channelId,
      member_count: stats.members,
      guest_count: stats.guests,
      pinnedpost_count: stats.pinnedPosts,
      files_count: excludesFiles ? -1 : 0,
    };
  }
}
