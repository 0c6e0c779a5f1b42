/** The ids in a request body: their name in the audit row, and the field of the body or its items. */
export interface ManyRecords {
  readonly name: string;
  readonly field: string;
}

/** How requests to a route appear in the audit log. */
export interface AuditMetadata {
  readonly action: string;
  /** Names of path parameters or body fields, separated by `/`; undefined means the `id` of the response. */
  readonly target: string | undefined;
  readonly isSecret: boolean;
  /** Fields to store, from the response or else the decoded body; dots separate nested names. */
  readonly keep: readonly string[];
  readonly many: ManyRecords | undefined;
  /** Written after the response: earlier writes of the request do not decide the outcome. */
  readonly isLate: boolean;
}

/** The metadata key of audited routes. */
export const AUDITED = 'hookline:audited';
