import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  IntColumn,
  JsonColumn,
  PrimaryTextColumn,
  TextColumn,
} from '../../../platform/database/columns.js';
import type { Standing } from '../lane-calls.js';
import type { LimitChange } from './limit-change.js';

/** How many calls an endpoint gets, as the process that makes them last noted. For people; no process goes by it. */
@Entity('lane_limits')
@Index('ix_lane_limits_noted', ['notedAt'])
export class LaneLimit {
  @PrimaryTextColumn(300) lane: string;
  @IntColumn() callsLimit: number;
  @TextColumn(16) standing: Standing;
  /** 0 while it is called. */
  @BigColumn() pausedUntil: number;
  @BigColumn() notedAt: number;
  /** The newest first. */
  @JsonColumn() changes: readonly LimitChange[];
}
