import type { Standing } from '../lane-calls.js';

/** Why the limit of an endpoint has changed (docs/contract/outgoing-webhooks.md#limits-of-an-endpoint). */
export const CHANGE_REASONS = [
  ...(['answered', 'failed', 'unreachable', 'slow'] as const),
  ...(['spared', 'resumed', 'forgotten'] as const),
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/** Changes of one kind that followed each other within a minute. */
export interface LimitChange {
  /** When the first of them was. */
  readonly at: number;
  readonly why: ChangeReason;
  readonly times: number;
  /** The limit before the first of them, and after the last. */
  readonly from: number;
  readonly to: number;
  readonly standing: Standing;
  readonly pausedUntil: number;
}

/** How many changes of an endpoint are kept. */
export const MAX_CHANGES = 50;
const TOGETHER_MS = 60_000;

/** Adds newer changes to others, each the newest first: an endpoint that comes and goes fills the list in minutes, not at once. */
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
