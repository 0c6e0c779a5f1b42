import type { BuiltInRole } from './built-in-roles.js';

/** Without `system_admin`, which is granted every permission. */
type GrantedRole = Exclude<BuiltInRole, 'system_admin'>;

declare const isPermission: unique symbol;

/** The wire name of a permission. Only `definePermissions` creates one, so a typo does not compile. */
export type Permission = string & { readonly [isPermission]: true };

/** A permission, and the built-in roles that get it when it is new to a server. */
export interface PermissionGrant {
  readonly permission: Permission;
  readonly roles: readonly BuiltInRole[];
}

/** The permissions of one module, by the names its code uses. */
export type Permissions<Name extends string = string> = Readonly<Record<Name, Permission>>;

const grants = new WeakMap<Permissions, readonly PermissionGrant[]>();

/**
 * Defines the permissions of a module, each with its wire name and the built-in roles that get it on a new server:
 * `definePermissions({ ManageTeam: ['manage_team', 'team_admin'] })`. The module declares the result.
 */
export function definePermissions<Name extends string>(
  definitions: Readonly<Record<Name, readonly [wireName: string, ...roles: GrantedRole[]]>>,
): Permissions<Name> {
  const entries = Object.entries<readonly [string, ...GrantedRole[]]>(definitions);
  const permissions = Object.fromEntries(
    entries.map(([name, [wireName]]) => [name, wireName]),
  ) as Permissions<Name>;
  grants.set(
    permissions,
    entries.map(([, [wireName, ...roles]]) => ({ permission: wireName as Permission, roles })),
  );
  return permissions;
}

/** The grants that were defined with these permissions. Throws TypeError if `definePermissions` did not create them. */
export function grantsOf(permissions: Permissions): readonly PermissionGrant[] {
  const defined = grants.get(permissions);
  if (!defined) throw new TypeError('A module declares permissions that definePermissions did not make.');
  return defined;
}
