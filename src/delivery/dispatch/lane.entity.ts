import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  IntColumn,
  JsonColumn,
  PrimaryTextColumn,
  TextColumn,
  IdColumn,
} from '../../platform/database/columns.js';
import type { LimitChange, Standing } from './call-limits.js';

/** An endpoint's call limit as last recorded by the process that calls it. Informational only. */
@Entity('lane_limits')
@Index('ix_lane_limits_noted', ['notedAt'])
export class LaneLimit {
  @PrimaryTextColumn(300) lane: string;
  @IntColumn() callsLimit: number;
  @TextColumn(16) standing: Standing;
  /** 0 while the endpoint is not paused. */
  @BigColumn() pausedUntil: number;
  @BigColumn() notedAt: number;
  /** Newest first. */
  @JsonColumn() changes: readonly LimitChange[];
}

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
