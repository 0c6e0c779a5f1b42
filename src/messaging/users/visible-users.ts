import { Injectable } from '@nestjs/common';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import { PermissionsService, type Subject } from '../permissions/permissions.service.js';
import { UserPermission } from './users.permissions.js';

/**
 * Whom a caller may see: everybody, or without `view_members` (as guests) only the people of the channels that the caller
 * is in. Whatever takes or answers ids of users asks here; VisibleUserGuard does for those in paths.
 */
@Injectable()
export class VisibleUsers {
  constructor(private readonly permissions: PermissionsService) {}

  /** The id of a caller who may see only users of shared channels; undefined for callers who may see everybody. */
  async restrictionOf(subject: Subject): Promise<string | undefined> {
    return (await this.permissions.hasOnSystem(subject, UserPermission.ViewMembers))
      ? undefined
      : subject.userId;
  }

  async has(subject: Subject, userId: string): Promise<boolean> {
    return (await this.only(subject, [userId], (id) => id)).length > 0;
  }

  /** Throws `permissionDenied` unless the caller may see all of them. Nobody who does not exist is seen by guests. */
  async requireAll(subject: Subject, userIds: readonly string[]): Promise<void> {
    const seen = await this.only(subject, userIds, (id) => id);
    if (seen.length < userIds.length) throw permissionDenied(UserPermission.ViewMembers);
  }

  /** The items about users whom the caller may see. */
  async only<T>(subject: Subject, items: readonly T[], userIdOf: (item: T) => string): Promise<readonly T[]> {
    const viewerId = await this.restrictionOf(subject);
    if (viewerId === undefined) return items;
    const others = items.map(userIdOf).filter((id) => id !== viewerId);
    const seen = await this.permissions.sharingChannelWith(viewerId, others);
    return items.filter((item) => userIdOf(item) === viewerId || seen.has(userIdOf(item)));
  }
}
