import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, PrimaryTextColumn } from '../../../platform/database/columns.js';

/** Which process works on a lane, where several serve one database. */
@Entity('lane_turns')
@Index('ix_lane_turns_holder', ['holder'])
export class LaneTurn {
  @PrimaryTextColumn(300) lane: string;
  /** Grows with each turn, also over the deletion of the row: it begins as the time. */
  @BigColumn() epoch: number;
  /** The process that has the turn; empty if none has. */
  @IdColumn() holder: string;
  /** Before this time of the database nobody else takes the lane. */
  @BigColumn() until: number;
}
