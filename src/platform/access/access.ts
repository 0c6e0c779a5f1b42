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

/** How a route declares who may enter. */
export type Access =
  | { readonly kind: 'public'; readonly readsSession: boolean }
  | { readonly kind: 'signed-in' }
  | {
      readonly kind: 'permission';
      readonly permission: Permission;
      readonly scope: 'system' | Type<ScopeResolver>;
    }
  | { readonly kind: 'policy'; readonly permissions: readonly Permission[] }
  | { readonly kind: 'guarded'; readonly who: string; readonly guard: Type<CanActivate> };

export const ACCESS = 'hookline:access';

const declare = (access: Access): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ACCESS, access));

/** Anybody. Credentials that come along are read, unless `readsSession` is false; bad ones are ignored. */
export const Public = (options: { readsSession?: boolean } = {}): MethodDecorator & ClassDecorator =>
  declare({ kind: 'public', readsSession: options.readsSession ?? true });

/** Any signed-in user, and local mode. */
export const SignedIn = (): MethodDecorator & ClassDecorator => declare({ kind: 'signed-in' });

/** Holders of the permission; the guard enforces it. */
export const RequirePermission = (
  permission: Permission,
  scope: 'system' | Type<ScopeResolver> = 'system',
): MethodDecorator & ClassDecorator => declare({ kind: 'permission', permission, scope });

/**
 * Signed-in callers. The guard asks for nothing more: the contract looks at the body or at the row first, so the
 * policy of the module asks for the permissions. They are named here for the table of routes and the API description.
 */
export const CheckedByPolicy = (
  permissions: Permission | readonly Permission[],
): MethodDecorator & ClassDecorator => declare({ kind: 'policy', permissions: [permissions].flat() });

/** Callers that are no users: `guard` alone decides, and `who` says for the table of routes whom it lets in. */
export const GuardedBy = (who: string, guard: Type<CanActivate>): MethodDecorator & ClassDecorator =>
  declare({ kind: 'guarded', who, guard });
