import { ApiProperty } from '@nestjs/swagger';
import type { SharedChannelRemote } from '../shared-channel-remote.entity.js';

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
