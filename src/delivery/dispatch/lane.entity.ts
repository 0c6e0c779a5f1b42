import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  IntColumn,
  JsonColumn,
  PrimaryTextColumn,
  TextColumn,
  IdColumn,
} from '../../platform/database/columns.js';
import type { Standing } from './call-limits.js';

/** Why an endpoint's limit changed (docs/contract/outgoing-webhooks.md#limits-of-an-endpoint). */
export const CHANGE_REASONS = [
  ...(['answered', 'failed', 'unreachable', 'slow'] as const),
  ...(['spared', 'resumed', 'forgotten'] as const),
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/** Changes for the same reason within a minute, merged into one. */
export interface LimitChange {
  /** Time of the first change. */
  readonly at: number;
  readonly why: ChangeReason;
  readonly times: number;
  /** The limit before the first change and after the last. */
  readonly from: number;
  readonly to: number;
  readonly standing: Standing;
  readonly pausedUntil: number;
}

/** Maximum number of changes kept per endpoint. */
export const MAX_CHANGES = 50;
const TOGETHER_MS = 60_000;

/** Merges newer changes, both newest first. A flapping endpoint thus takes minutes to fill the list. */
export function withChanges(
  changes: readonly LimitChange[],
  newer: readonly LimitChange[],
): readonly LimitChange[] {
  return newer.toReversed().reduce(withChange, changes);
}

/** Adds one change. */
export function withChange(changes: readonly LimitChange[], change: LimitChange): readonly LimitChange[] {
  const index = changes.findIndex(({ why, at }) => why === change.why && change.at - at < TOGETHER_MS);
  const known = changes[index];
  if (!known) return [change, ...changes].slice(0, MAX_CHANGES);
  const { to, standing, pausedUntil } = change;
  return changes.with(index, { ...known, times: known.times + change.times, to, standing, pausedUntil });
}

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
