/** The names in a list of roles as it is stored and sent: separated by spaces. */
export function splitRoles(roles: string): string[] {
  return roles.split(/\s+/).filter((name) => name !== '');
}
