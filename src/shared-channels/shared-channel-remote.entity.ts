import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../platform/database/columns.js';

/** What is kept of why a peer refused an invite. */
export const MAX_ERROR_RUNES = 255;

/** A share: one connection over which a channel is shared. */
@Entity('shared_channel_remotes')
@Index('ux_shared_channel_remotes_channel', ['channelId', 'remoteId'], { unique: true })
@Index('ix_shared_channel_remotes_remote', ['remoteId', 'createAt', 'id'])
export class SharedChannelRemote {
  @PrimaryIdColumn() id: string;
  @IdColumn() channelId: string;
  @IdColumn() remoteId: string;
  @IdColumn() creatorId: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  /** Whether the channel came over this connection. Only then may the peer share it again. */
  @BooleanColumn() isFromPeer: boolean;
  /** Whether this side has ended the share. Then only an administrator here shares the channel again. */
  @BooleanColumn({ default: false }) isWithdrawn: boolean;
  @BooleanColumn() isInviteAccepted: boolean;
  @BooleanColumn() isInviteConfirmed: boolean;
  /** Why the peer has refused the last invite; empty if it has not. */
  @TextColumn(MAX_ERROR_RUNES, { default: '' }) inviteError: string;
  /** The newest change of a post that the peer has accepted. */
  @BigColumn() lastPostUpdateAt: number;
  @IdColumn() lastPostId: string;
  @BigColumn() lastPostCreateAt: number;
  @IdColumn() lastPostCreateId: string;
}
