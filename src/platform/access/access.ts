import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import type { Permission } from './permission.js';

/** The path parameters of a request. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/** Where a permission is needed: in a channel, in a team, or on the system. */
export type Scope = { readonly channelId: string } | { readonly teamId: string } | 'system';

/** Finds the scope of a request from its path, never from its body. Guards run before pipes, so parse what you read. */
export interface ScopeResolver {
  resolve(params: PathParams): Promise<Scope> | Scope;
}

/** Who may call a route. `who` says it in one phrase, for the API description. */
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

/** The access that a route declares, else its controller. Read once, since reflection takes longer than a guard. */
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

const declare = (access: Access): AccessDecorator => applyDecorators(SetMetadata(ACCESS, access));

/** Anybody. Credentials are read unless `readsSession` is false; invalid ones are ignored. */
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
 * Signed-in callers. The guard requires nothing more, because the contract judges the body or the row first: the policy
 * of the module requires the permissions. They are listed here for the route table and the API description, where `who`
 * says when each one is needed.
 */
export const CheckedByPolicy = (
  permissions: Permission | readonly Permission[],
  who?: string,
): AccessDecorator => declare(byPolicy(permissions, who, true));

/** As CheckedByPolicy, but a caller without the permissions gets fewer results, or none, instead of a 403. */
export const FilteredByPolicy = (
  permissions: Permission | readonly Permission[],
  who?: string,
): AccessDecorator => declare(byPolicy(permissions, who, false));

/** Callers that are not users. `guard` alone decides; `who` says whom it lets in. */
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
