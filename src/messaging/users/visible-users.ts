import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import { PermissionsService, type Subject } from '../permissions/permissions.service.js';
import { UserPermission } from './users.policy.js';
import { isId } from '../../platform/common/ids.js';
import { type ActingRequest, requireUser } from '../permissions/actor.js';
import { describePathParam, documented } from '../../platform/common/dto/documented-param.js';
import { parseIdParam } from '../../platform/common/dto/params.js';

/**
 * Which users a caller may see: all, or without `view_members` (guests) only members of channels the caller
 * is in. Code that accepts or returns user ids must check here; VisibleUserGuard covers ids in paths.
 */
@Injectable()
export class VisibleUsers {
  constructor(private readonly permissions: PermissionsService) {}

  /** The id of a caller restricted to users of shared channels; undefined if the caller may see all users. */
  async restrictionOf(subject: Subject): Promise<string | undefined> {
    return (await this.permissions.hasOnSystem(subject, UserPermission.ViewMembers))
      ? undefined
      : subject.userId;
  }

  async has(subject: Subject, userId: string): Promise<boolean> {
    return (await this.only(subject, [userId], (id) => id)).length > 0;
  }

  /** Throws `permissionDenied` unless the caller may see all of them. Guests cannot see nonexistent users. */
  async requireAll(subject: Subject, userIds: readonly string[]): Promise<void> {
    const seen = await this.only(subject, userIds, (id) => id);
    if (seen.length < userIds.length) throw permissionDenied(UserPermission.ViewMembers);
  }

  /** Filters items to those about users the caller may see. */
  async only<T>(subject: Subject, items: readonly T[], userIdOf: (item: T) => string): Promise<readonly T[]> {
    const viewerId = await this.restrictionOf(subject);
    if (viewerId === undefined) return items;
    const others = items.map(userIdOf).filter((id) => id !== viewerId);
    const seen = await this.permissions.sharingChannelWith(viewerId, others);
    return items.filter((item) => userIdOf(item) === viewerId || seen.has(userIdOf(item)));
  }
}

/**
 * A global guard: rejects a path whose `user_id` is a user the caller may not see, in the same way as an
 * unknown id (docs/contract/messaging.md#guests).
 */
@Injectable()
export class VisibleUserGuard implements CanActivate {
  constructor(private readonly visible: VisibleUsers) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { actor, params } = context.switchToHttp().getRequest<ActingRequest>();
    const id = params['user_id'];
    if (!isId(id) || actor.kind !== 'user' || id === actor.userId) return true;
    return this.visible.requireAll(actor, [id]).then(() => true);
  }
}

const readUserId = createParamDecorator((name: string, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<ActingRequest>();
  const value = request.params[name];
  return value === 'me'
    ? requireUser(request.actor)
    : parseIdParam(name, typeof value === 'string' ? value : undefined);
});

/** The user id in the path; `me` is the caller, and causes a 401 in local mode, which has no user. */
export const UserIdParam = (name = 'user_id'): ParameterDecorator =>
  documented(
    readUserId(name),
    describePathParam(name, {
      description: 'The id of the user, or `me`.',
      example: 'me',
      schema: { type: 'string', pattern: '^([A-Za-z0-9]{26}|me)$' },
    }),
  );
