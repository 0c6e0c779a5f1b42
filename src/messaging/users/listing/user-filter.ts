/** Which accounts a list asks for; everything given must hold. */
export interface UserFilter {
  readonly inTeam?: string | undefined;
  readonly notInTeam?: string | undefined;
  readonly inChannel?: string | undefined;
  readonly notInChannel?: string | undefined;
  readonly isWithoutTeam?: boolean;
  /** Undefined: deactivated ones as well. */
  readonly isActive?: boolean | undefined;
  /** Any of these system roles. */
  readonly roles?: readonly string[];
  /** Any of these roles in the team of `inTeam`. */
  readonly teamRoles?: readonly string[];
  /** Any of these roles in the channel of `inChannel`. */
  readonly channelRoles?: readonly string[];
  /** Each is the beginning of a name of the account. */
  readonly terms?: readonly string[];
  /** Only those who share a channel with this guest. */
  readonly guestId?: string | undefined;
}

export type UserSort = 'username' | 'last_activity_at' | 'create_at' | 'status' | 'admin';

/** Users who are online, away or not to be disturbed, for the sort by status. */
export interface Presence {
  readonly online: readonly string[];
  readonly away: readonly string[];
  readonly dnd: readonly string[];
}
