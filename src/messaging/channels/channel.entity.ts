import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  LongTextColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';

/**
 * A channel. Types: `O` open, `P` private, `D` direct, `G` group; D and G have no team
 * (docs/contract/messaging.md#channels).
 */
@Entity('channels')
@Index('ux_channels_team_name', ['teamId', 'name'], { unique: true })
@Index('ix_channels_display', ['type', 'displayName', 'id', 'deleteAt'])
@Index('ix_channels_of_team', ['teamId', 'type', 'displayName', 'id', 'deleteAt'])
export class Channel {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  /** When it was archived; 0 if active. */
  @BigColumn() deleteAt: number;
  /** Empty for direct and group channels. */
  @IdColumn() teamId: string;
  @TextColumn(1) type: string;
  @TextColumn(64) displayName: string;
  @TextColumn(64) name: string;
  @LongTextColumn() header: string;
  @TextColumn(250) purpose: string;
  @IdColumn() creatorId: string;
  @BigColumn() lastPostAt: number;
  @IntColumn() totalMsgCount: number;
  @BigColumn() lastRootPostAt: number;
  @IntColumn() totalMsgCountRoot: number;
  /** The highest `seq` (commit order) of its posts, except those with explicit times. */
  @BigColumn({ default: 0 }) lastSeq: number;
  /** Shared with another server. */
  @BooleanColumn({ default: false }) shared: boolean;
}
