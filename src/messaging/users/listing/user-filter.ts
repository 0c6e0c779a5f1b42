/** Which accounts to list; all given conditions must hold. */
export interface UserFilter {
  readonly inTeam?: string | undefined;
  readonly notInTeam?: string | undefined;
  readonly inChannel?: string | undefined;
  readonly notInChannel?: string | undefined;
  readonly isWithoutTeam?: boolean;
  /** Undefined: active and deactivated accounts. */
  readonly isActive?: boolean | undefined;
  /** Any of these system roles. */
  readonly roles?: readonly string[];
  /** Any of these roles in the team of `inTeam`. */
  readonly teamRoles?: readonly string[];
  /** Any of these roles in the channel of `inChannel`. */
  readonly channelRoles?: readonly string[];
  /** For each term, one of the account's names must start with it. */
  readonly terms?: readonly string[];
  /** Only users whom this user may see, who lacks `view_members`. */
  readonly viewerId?: string | undefined;
}

export type UserSort = 'username' | 'last_activity_at' | 'create_at' | 'status' | 'admin';

/** The ids of users by status, to sort by status; users who are offline are left out. */
export interface Presence {
  readonly online: readonly string[];
  readonly away: readonly string[];
  readonly dnd: readonly string[];
}
