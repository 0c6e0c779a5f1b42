/** The ids that a call names in its body: what the row calls them, and the field that has them, or each item of the body has. */
export interface ManyRecords {
  readonly name: string;
  readonly field: string;
}

/** How requests to a route appear in the audit log. */
export interface AuditMetadata {
  readonly action: string;
  /**
   * Names of path parameters, or of fields of the body as the handler gets it, separated by `/`; undefined means the `id` of
   * the response.
   */
  readonly target: string | undefined;
  /** The target is a secret: only a short hash of it is stored. */
  readonly isSecret: boolean;
  /** Fields to store, taken from the response or else from the body as the handler gets it; dots separate nested names. */
  readonly keep: readonly string[];
  /** Where the body lists the records that the call is about. */
  readonly many: ManyRecords | undefined;
  /** The row is written after the answer: what the request stores on its way does not decide how it ends. */
  readonly isLate: boolean;
}

/** The metadata key of audited routes. */
export const AUDITED = 'hookline:audited';
