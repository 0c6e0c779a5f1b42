type MemberScope = 'team' | 'channel';

const GUEST_ROLES = { team: ['team_guest'], channel: ['channel_guest'] } as const;
const NONE: readonly string[] = [];

/** Whether system roles make an account a guest. Guests see only the teams and channels they were added to. */
export function isGuestRole(systemRoles: readonly string[]): boolean {
  return systemRoles.includes('system_guest');
}

/**
 * The roles that a membership really gives. The account decides who is a guest, whatever the row says: a guest has the
 * roles of guests only, and nobody else has those.
 */
export function allowedByAccount(
  scope: MemberScope,
  systemRoles: readonly string[],
  memberRoles: readonly string[],
): readonly string[] {
  if (isGuestRole(systemRoles)) return memberRoles.length === 0 ? NONE : GUEST_ROLES[scope];
  const [guestRole] = GUEST_ROLES[scope];
  if (!memberRoles.includes(guestRole)) return memberRoles;
  return memberRoles.map((role) => (role === guestRole ? `${scope}_user` : role));
}
