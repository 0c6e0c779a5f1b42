import { Entity, ForeignKey, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IntColumn,
  JsonColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';
import { User } from '../users/user.entity.js';
import { Channel } from './channel.entity.js';

/** A membership in a channel (docs/contract/messaging.md#channel-members). Leaving deletes the row. */
@Entity('channel_members')
@Index('ix_channel_members_of_user', ['userId', 'channelId'])
@ForeignKey(() => Channel, ['channelId'], ['id'], { name: 'fk_channel_members_channel', onDelete: 'CASCADE' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_channel_members_user', onDelete: 'CASCADE' })
export class ChannelMember {
  @PrimaryIdColumn() channelId: string;
  @PrimaryIdColumn() userId: string;
  @TextColumn(256) explicitRoles: string;
  /** Always false; migrations drop no columns. */
  @BooleanColumn() schemeGuest: boolean;
  @BooleanColumn() schemeUser: boolean;
  @BooleanColumn() schemeAdmin: boolean;
  @BigColumn() lastViewedAt: number;
  @IntColumn() msgCount: number;
  @IntColumn() msgCountRoot: number;
  @IntColumn() mentionCount: number;
  @IntColumn() mentionCountRoot: number;
  @JsonColumn() notifyProps: Record<string, string>;
  @BigColumn() lastUpdateAt: number;
}
