import { applyDecorators, type CanActivate, SetMetadata, type Type } from '@nestjs/common';
import type { Permission } from './permission.js';

/** The path parameters of a request. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/** Where a permission is asked for: on one channel, on one team, or on the system. */
export type Scope = { readonly channelId: string } | { readonly teamId: string } | 'system';

/** Finds the scope of a call from its path, never from its body. Guards run before pipes: parse what you read. */
export interface ScopeResolver {
  resolve(params: PathParams): Promise<Scope> | Scope;
}

/** How a route declares who may enter; `who` is that as one phrase, for the API description. */
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

export const ACCESS = 'hookline:access';

type AccessDecorator = MethodDecorator & ClassDecorator;

const declare = (access: Access): AccessDecorator => applyDecorators(SetMetadata(ACCESS, access));

/** Anybody. Credentials that come along are read, unless `readsSession` is false; bad ones are ignored. */
export const Public = ({ readsSession = true, who = 'anybody' } = {}): AccessDecorator =>
  declare({ kind: 'public', readsSession, who });

/** Any signed-in user, and local mode. */
export const SignedIn = (who = 'any signed-in user'): AccessDecorator => declare({ kind: 'signed-in', who });

/** Holders of the permission; the guard enforces it. */
export const RequirePermission = (
  permission: Permission,
  scope: 'system' | Type<ScopeResolver> = 'system',
  who = `\`${permission}\``,
): AccessDecorator => declare({ kind: 'permission', permission, scope, who });

/**
 * Signed-in callers. The guard asks for nothing more: the contract looks at the body or at the row first, so the
 * policy of the module asks for the permissions. They are named here for the table of routes and the API description,
 * where `who` says when each is needed.
 */
export const CheckedByPolicy = (
  permissions: Permission | readonly Permission[],
  who?: string,
): AccessDecorator => declare(byPolicy(permissions, who, true));

/** As CheckedByPolicy, but a caller without the permissions finds less, or nothing, instead of getting a 403. */
export const FilteredByPolicy = (
  permissions: Permission | readonly Permission[],
  who?: string,
): AccessDecorator => declare(byPolicy(permissions, who, false));

/** Callers that are no users: `guard` alone decides, and `who` says whom it lets in. */
export const GuardedBy = (who: string, guard: Type<CanActivate>): AccessDecorator =>
  declare({ kind: 'guarded', who, guard });

function byPolicy(
  given: Permission | readonly Permission[],
  who: string | undefined,
  refuses: boolean,
): Access {
  const permissions = [given].flat();
  return {
    kind: 'policy',
    permissions,
    refuses,
    who: who ?? permissions.map((id) => `\`${id}\``).join(', '),
  };
}
