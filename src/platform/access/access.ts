import { type CanActivate, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';

/** The path parameters of a request. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/** Where a permission is needed: in a channel, in a team, or on the system. */
export type Scope = { readonly channelId: string } | { readonly teamId: string } | 'system';

/** Resolves the scope from the path, never the body. Guards run before pipes: parse what you read. */
export interface ScopeResolver {
  resolve(params: PathParams): Promise<Scope> | Scope;
}

/** Who may call a route. `who` is a short phrase for the API description. */
export type Access = { readonly who: string } & (
  | { readonly kind: 'public'; readonly readsSession: boolean }
  | { readonly kind: 'signed-in' }
  | {
      readonly kind: 'permission';
      readonly permission: Permission;
      readonly scope: 'system' | Type<ScopeResolver>;
    }
  | { readonly kind: 'policy'; readonly permissions: readonly Permission[]; readonly refuses: boolean }
  | { readonly kind: 'guarded'; readonly guard: Type<CanActivate> }
);

/** The metadata key under which a route declares its access. */
export const ACCESS = 'hookline:access';

const accesses = new WeakMap<object, Map<object, Access | undefined>>();

/** The access declared by a route or its controller. Cached, since reflection is slower than a guard. */
export function accessOf(context: Pick<ExecutionContext, 'getClass' | 'getHandler'>): Access | undefined {
  const [controller, handler] = [context.getClass(), context.getHandler()];
  let known = accesses.get(controller);
  if (!known) accesses.set(controller, (known = new Map<object, Access | undefined>()));
  if (!known.has(handler)) known.set(handler, declaredAccess(handler) ?? declaredAccess(controller));
  return known.get(handler);
}

const declaredAccess = (target: object): Access | undefined =>
  Reflect.getMetadata(ACCESS, target) as Access | undefined;

type AccessDecorator = MethodDecorator & ClassDecorator;

const declare = (access: Access): AccessDecorator => SetMetadata(ACCESS, access);

/** No sign-in required. Reads credentials unless `readsSession` is false; ignores invalid ones. */
export const Public = ({ readsSession = true, who = 'anybody' } = {}): AccessDecorator =>
  declare({ kind: 'public', readsSession, who });

/** Any signed-in user, and local mode. */
export const SignedIn = (who = 'any signed-in user'): AccessDecorator => declare({ kind: 'signed-in', who });

/** Users with the permission; the guard enforces it. */
export const RequirePermission = (
  permission: Permission,
  scope: 'system' | Type<ScopeResolver> = 'system',
  who = `\`${permission}\``,
): AccessDecorator => declare({ kind: 'permission', permission, scope, who });

/**
 * Signed-in callers. The guard requires no permissions, because the contract validates the body or the row
 * first; the policy of the module enforces them. They are listed here for the route table and the API
 * description, where `who` says when each one is needed.
 */
export const CheckedByPolicy = byPolicy(true);

/** Like CheckedByPolicy, but a caller without the permissions gets fewer or no results, not a 403. */
export const FilteredByPolicy = byPolicy(false);

/** Callers that are not users. Only `guard` decides; `who` describes the allowed callers. */
export const GuardedBy = (who: string, guard: Type<CanActivate>): AccessDecorator =>
  declare({ kind: 'guarded', who, guard });

function byPolicy(refuses: boolean) {
  return (given: Permission | readonly Permission[], who?: string): AccessDecorator => {
    const permissions = [given].flat();
    const listed = permissions.map((id) => `\`${id}\``).join(', ');
    return declare({ kind: 'policy', permissions, refuses, who: who ?? listed });
  };
}

/** Without `system_admin`, which is granted every permission. */
type GrantedRole = Exclude<BuiltInRole, 'system_admin'>;

declare const isPermission: unique symbol;

/** The wire name of a permission. Only `definePermissions` creates one, so a typo does not compile. */
export type Permission = string & { readonly [isPermission]: true };

/** A permission and the built-in roles that receive it when it is new to a server. */
export interface PermissionGrant {
  readonly permission: Permission;
  readonly roles: readonly BuiltInRole[];
}

/** The permissions of one module, keyed by their names in code. */
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

/** The grants of these permissions. Throws TypeError if `definePermissions` did not create them. */
export function grantsOf(permissions: Permissions): readonly PermissionGrant[] {
  const defined = grants.get(permissions);
  if (!defined) throw new TypeError('A module declares permissions that definePermissions did not make.');
  return defined;
}

/** The roles that every server has. */
export const BUILT_IN_ROLES = [
  'system_admin',
  'system_user',
  'system_user_access_token',
  'system_post_all',
  'system_post_all_public',
  'team_user',
  'team_admin',
  'team_post_all',
  'team_post_all_public',
  'channel_user',
  'channel_admin',
] as const;

type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/** Whether a role is built in. */
export const isBuiltIn = (name: string): name is BuiltInRole => BUILT_IN_ROLES.some((role) => role === name);
