import type { SchemeRoles } from './member-roles.js';

/** The roles of a guest in a team or channel. */
export const ROLES_OF_GUEST: SchemeRoles = {
  explicitRoles: '',
  schemeGuest: true,
  schemeUser: false,
  schemeAdmin: false,
};

/** What takes the place of the roles of a guest who becomes an ordinary user. */
export const ROLES_OF_FORMER_GUEST = { schemeGuest: false, schemeUser: true } as const;

/** Whether the roles of a member are such as the account can have. */
export function fitsAccount(member: SchemeRoles, isGuest: boolean): boolean {
  const { explicitRoles, schemeGuest, schemeUser, schemeAdmin } = member;
  if (!isGuest) return !schemeGuest;
  return schemeGuest && !schemeUser && !schemeAdmin && explicitRoles === '';
}
