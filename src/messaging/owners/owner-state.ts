/**
 * What has become of the owner of something in a team: `deactivated` and `deleted` are about the account, `left_team`
 * says that a former member is not in the team any more. Who never was a member is `active`.
 */
export const OWNER_STATES = ['active', 'deactivated', 'left_team', 'deleted'] as const;

export type OwnerState = (typeof OWNER_STATES)[number];

/** What a list can be narrowed to: `orphaned` is every state but `active`. */
export const OWNER_STATE_FILTERS = [...OWNER_STATES, 'orphaned'] as const;

export type OwnerStateFilter = (typeof OWNER_STATE_FILTERS)[number];
