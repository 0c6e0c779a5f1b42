import { ApiProperty } from '@nestjs/swagger';
import { flagParam, QueryObject } from '../platform/common/dto/params.js';
import type { ShareFilter } from './shared-channels.repository.js';
import { MAX_COUNTED } from './shared-channels.read-model.js';
import { INVITE_STATES, type InviteState, type ShareState } from './share-index.js';
import type { SharedChannel, SharedChannelRemote } from './shared-channel.entity.js';

export const ShareQuery = (): ParameterDecorator =>
  QueryObject<Omit<ShareFilter, 'remoteId'>>({
    excludeHome: flagParam('exclude_home', 'Exclude channels of this server.'),
    excludeRemote: flagParam('exclude_remote', 'Exclude channels of the other server.'),
    excludeConfirmed: flagParam(
      'exclude_confirmed',
      'Only those that the other server has not accepted yet.',
    ),
    excludeUnconfirmed: flagParam('exclude_unconfirmed', 'Only those that the other server has accepted.'),
    includeDeleted: flagParam('include_deleted', 'Include those that are not shared any more.'),
  });

/** One connection over which a channel is shared, per contract, and how far behind the peer is. */
export class SharedChannelRemoteDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'gqsr16q5bj8ikq9dsu7mzp3acy' }) channel_id: string;
  @ApiProperty({ example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' }) creator_id: string;
  @ApiProperty({ example: 1764633600000 }) create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ description: 'When sharing ended; 0: shared.', example: 0 }) delete_at: number;
  @ApiProperty({ example: true }) is_invite_accepted: boolean;
  @ApiProperty({ example: true }) is_invite_confirmed: boolean;
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) remote_id: string;
  @ApiProperty({
    description: 'The newest change of a post that the peer has received.',
    example: 1764633600000,
  })
  last_post_update_at: number;
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) last_post_id: string;
  @ApiProperty({ example: 1764633600000 }) last_post_create_at: number;
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) last_post_create_id: string;

  @ApiProperty({
    enum: INVITE_STATES,
    description:
      '`pending`: an invite or a change of the channel waits for acceptance. `failed`: the peer has refused it. `ended`: sharing has ended.',
    example: 'accepted',
  })
  invite_state: InviteState;
  @ApiProperty({ description: 'Why it failed or still waits; empty if unknown.', example: '' })
  invite_error: string;
  @ApiProperty({
    description: `Number of posts, edits and deletions of the channel that the peer has not confirmed, among the first ${MAX_COUNTED} messages that wait for the connection.`,
    example: 0,
  })
  pending_count: number;
  @ApiProperty({
    description: `At least ${MAX_COUNTED} messages wait for the connection, so the numbers per channel may be higher.`,
    example: false,
  })
  pending_is_cut: boolean;
  @ApiProperty({
    description: 'How long the first of those posts, edits and deletions has waited.',
    example: 0,
  })
  oldest_pending_seconds: number;
  @ApiProperty({ description: 'Why the last attempt failed; empty without an attempt.', example: '' })
  pending_error: string;

  static from(share: SharedChannelRemote, state: ShareState): SharedChannelRemoteDto {
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
      ...state,
    };
  }
}

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
  @ApiProperty({ description: 'The connection it came over; empty for own channels.', example: '' })
  remote_id: string;
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
