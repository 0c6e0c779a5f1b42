import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';

/** The caller of a request. */
export type Actor =
  | {
      readonly kind: 'user';
      readonly userId: string;
      readonly roles: readonly string[];
      readonly sessionId: string;
    }
  /** The Unix socket of local mode: no user, all permissions. */
  | { readonly kind: 'local'; readonly userId: ''; readonly roles: readonly []; readonly sessionId: '' }
  | { readonly kind: 'anonymous'; readonly userId: ''; readonly roles: readonly []; readonly sessionId: '' };

/** The caller on the socket of local mode. */
export const LOCAL_ACTOR: Actor = { kind: 'local', userId: '', roles: [], sessionId: '' };
/** A caller without a valid session. */
export const ANONYMOUS: Actor = { kind: 'anonymous', userId: '', roles: [], sessionId: '' };

/** A request after the authentication guard. */
export interface ActingRequest extends HttpRequest {
  actor: Actor;
}

/** The caller of a route. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor => context.switchToHttp().getRequest<ActingRequest>().actor,
);

/** The call needs a user, but local mode has none (docs/contract/conventions.md#local-mode). */
const userRequired = () =>
  new AppError(401, 'api.context.user_required.app_error', 'This call requires a user; local mode has none.');

/** The id of the signed-in user; throws `userRequired` in local mode. */
export function requireUser(actor: Actor): string {
  if (actor.kind !== 'user') throw userRequired();
  return actor.userId;
}

/** The names in a space-separated list of roles. */
export function splitRoles(roles: string): string[] {
  return roles.split(/\s+/).filter((name) => name !== '');
}
