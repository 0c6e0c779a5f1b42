import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  LongTextColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../platform/database/columns.js';

/** A shared channel. Its home server and every server that has accepted it have this row. */
@Entity('shared_channels')
@Index('ix_shared_channels_team', ['teamId', 'channelId'])
export class SharedChannel {
  @PrimaryIdColumn() channelId: string;
  @IdColumn() teamId: string;
  @BooleanColumn() home: boolean;
  @BooleanColumn() readonly: boolean;
  @TextColumn(64) name: string;
  @TextColumn(64) displayName: string;
  @TextColumn(250) purpose: string;
  @LongTextColumn() header: string;
  @IdColumn() creatorId: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  /** The connection over which it came; empty at home. */
  @IdColumn() remoteId: string;
  @TextColumn(1) type: string;
}

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
  /** Whether the channel came over this connection; if not, the peer cannot share it again. */
  @BooleanColumn() isFromPeer: boolean;
  /** Whether this side has ended the share. If so, only an administrator here can share the channel again. */
  @BooleanColumn({ default: false }) isWithdrawn: boolean;
  @BooleanColumn() isInviteAccepted: boolean;
  @BooleanColumn() isInviteConfirmed: boolean;
  /** Why the peer refused the last invite; empty if it did not. */
  @TextColumn(MAX_ERROR_RUNES, { default: '' }) inviteError: string;
  @BigColumn() lastPostUpdateAt: number;
  @IdColumn() lastPostId: string;
  @BigColumn() lastPostCreateAt: number;
  @IdColumn() lastPostCreateId: string;
  /** Whether later posts are still to be sent, because the server that this one replaces had not sent them. */
  @BooleanColumn({ default: false }) isBehind: boolean;
}
