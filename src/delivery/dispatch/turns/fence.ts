import type { Statement } from '../../../platform/database/statement.js';
import type { Turn } from './turn.js';

/** A change of a delivery that is made in a turn of its lane. */
export interface Fenced {
  readonly turn: Turn;
  readonly delivery: { readonly lane: string };
}

const NO_FENCE: Statement = { sql: '', parameters: [] };

/**
 * The condition that the turns are still in force, to follow the others of a statement on `deliveries`. Empty where one
 * process has all lanes. A process takes no further turn of a lane while calls of an earlier one run, so there is one
 * epoch for each lane.
 */
export function fenceOf(changes: readonly Fenced[]): Statement {
  const epochs = lanesOf(changes);
  if (epochs.size === 0) return NO_FENCE;
  const pairs = Array.from(epochs, () => '(?,?)').join(',');
  return {
    sql: ` AND EXISTS (SELECT 1 FROM lane_turns WHERE lane_turns.lane = deliveries.lane
      AND (lane_turns.lane, lane_turns.epoch) IN (${pairs}))`,
    parameters: [...epochs].flat(),
  };
}

/** A source of one row while a turn is in force, and of none afterwards. Undefined where one process has all lanes. */
export function isInForce({ turn, delivery }: Fenced): Statement | undefined {
  if (turn.epoch === undefined) return undefined;
  return {
    sql: 'lane_turns WHERE lane = ? AND epoch = ?',
    parameters: [delivery.lane, turn.epoch],
  };
}

/** Keeps the turns as they are until the end of the transaction, so that all its statements find the same in force. */
export function holdTurns(changes: readonly Fenced[]): Statement[] {
  const lanes = [...lanesOf(changes).keys()].sort();
  if (lanes.length === 0) return [];
  const marks = lanes.map(() => '?').join(',');
  return [{ sql: `SELECT lane FROM lane_turns WHERE lane IN (${marks}) FOR UPDATE`, parameters: lanes }];
}

function lanesOf(changes: readonly Fenced[]): Map<string, number> {
  const epochs = new Map<string, number>();
  for (const { turn, delivery } of changes)
    if (turn.epoch !== undefined) epochs.set(delivery.lane, turn.epoch);
  return epochs;
}
