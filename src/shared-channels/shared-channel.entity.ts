import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  LongTextColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../platform/database/columns.js';

/** A shared channel. Its home and every server that has accepted it have such a row. */
@Entity('shared_channels')
@Index('ix_shared_channels_team', ['teamId', 'channelId'])
export class SharedChannel {
  @PrimaryIdColumn() channelId: string;
  @IdColumn() teamId: string;
  /** Whether the channel comes from this server. */
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
  /** `O` or `P`. */
  @TextColumn(1) type: string;
}
