import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, PrimaryTextColumn } from '../../../platform/database/columns.js';

/** The process that works on a lane, where several processes share a database. */
@Entity('lane_turns')
@Index('ix_lane_turns_holder', ['holder'])
export class LaneTurn {
  @PrimaryTextColumn(300) lane: string;
  /** Increases with each turn, even after the row was deleted, because it starts at the current time. */
  @BigColumn() epoch: number;
  /** The process that has the turn; empty if none does. */
  @IdColumn() holder: string;
  /** No other process takes the lane before this database time. */
  @BigColumn() until: number;
}
