import type { Standing } from '../lane-calls.js';

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
