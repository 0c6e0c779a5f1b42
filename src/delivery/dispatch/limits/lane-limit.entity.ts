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
