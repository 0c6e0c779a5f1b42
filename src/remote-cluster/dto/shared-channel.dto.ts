import { ApiProperty } from '@nestjs/swagger';
import type { SharedChannelRemote } from '../../shared-channels/shared-channel-remote.entity.js';
import type { SharedChannel } from '../../shared-channels/shared-channel.entity.js';

/** A shared channel as the contract shows it. */
export class SharedChannelDto {
  @ApiProperty({ example: 'gqsr16q5bj8ikq9dsu7mzp3acy' }) id: string;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ description: 'Whether it comes from this server.', example: true }) home: boolean;
  @ApiProperty({ example: false }) readonly: boolean;
  @ApiProperty({ example: 'releases' }) name: string;
  @ApiProperty({ example: 'Releases' }) display_name: string;
  @ApiProperty({ example: '' }) purpose: string;
  @ApiProperty({ example: '' }) header: string;
  @ApiProperty({ example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' }) creator_id: string;
  @ApiProperty({ example: 1764633600000 }) create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ description: 'The connection it came over; empty at home.', example: '' }) remote_id: string;
  @ApiProperty({ enum: ['O', 'P'], example: 'O' }) type: string;

  static from(channel: SharedChannel): SharedChannelDto {
    return {
      id: channel.channelId,
      team_id: channel.teamId,
      home: channel.home,
      readonly: channel.readonly,
      name: channel.name,
      display_name: channel.displayName,
      purpose: channel.purpose,
      header: channel.header,
      creator_id: channel.creatorId,
      create_at: channel.createAt,
      update_at: channel.updateAt,
      remote_id: channel.remoteId,
      type: channel.type,
    };
  }
}

/** One connection over which a channel is shared, as the contract shows it. */
export class SharedChannelRemoteDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'gqsr16q5bj8ikq9dsu7mzp3acy' }) channel_id: string;
  @ApiProperty({ example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' }) creator_id: string;
  @ApiProperty({ example: 1764633600000 }) create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ description: 'Above 0: not shared any more since.', example: 0 }) delete_at: number;
  @ApiProperty({ example: true }) is_invite_accepted: boolean;
  @ApiProperty({ example: true }) is_invite_confirmed: boolean;
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) remote_id: string;
  @ApiProperty({
    description: 'The newest change of a post that the peer has taken.',
    example: 1764633600000,
  })
  last_post_update_at: number;
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) last_post_id: string;
  @ApiProperty({ example: 1764633600000 }) last_post_create_at: number;
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) last_post_create_id: string;

  static from(share: SharedChannelRemote): SharedChannelRemoteDto {
    return {
      id: share.id,
      channel_id: share.channelId,
      creator_id: share.creatorId,
      create_at: share.createAt,
      update_at: share.updateAt,
      delete_at: share.deleteAt,
      is_invite_accepted: share.isInviteAccepted,
      is_invite_confirmed: share.isInviteConfirmed,
      remote_id: share.remoteId,
      last_post_update_at: share.lastPostUpdateAt,
      last_post_id: share.lastPostId,
      last_post_create_at: share.lastPostCreateAt,
      last_post_create_id: share.lastPostCreateId,
    };
  }
}
