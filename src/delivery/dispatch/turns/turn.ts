/** The right of this process to work on a lane: docs/architecture.md#turns. */
export interface Turn {
  /** Outcomes are stored only while the lane has this epoch. Undefined where one process has all lanes. */
  readonly epoch: number | undefined;
  /** Whether a call may start at this moment. */
  readonly isValid: boolean;
}

/** The turn of a process that serves its database alone. */
export const ALWAYS: Turn = { epoch: undefined, isValid: true };
