/** How requests to a route appear in the audit log. */
export interface AuditMetadata {
  readonly action: string;
  /** Names of path parameters or body fields, separated by `/`; undefined means the `id` of the response. */
  readonly target: string | undefined;
  /** The target is a secret: only a short hash of it is stored. */
  readonly isSecret: boolean;
  /** Fields to store, taken from the response or else from the body; dots separate nested names. */
  readonly keep: readonly string[];
  /** The row is written after the answer: what the request stores on its way does not decide how it ends. */
  readonly isLate: boolean;
}

/** The metadata key of audited routes. */
export const AUDITED = 'hookline:audited';
