/** The names in a stored or sent list of roles, which is separated by spaces. */
export function splitRoles(roles: string): string[] {
  return roles.split(/\s+/).filter((name) => name !== '');
}
