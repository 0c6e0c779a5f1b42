import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { isId } from '../../platform/common/ids.js';
import type { ActingRequest } from '../permissions/actor.js';
import { VisibleUsers } from './visible-users.js';

/**
 * A global guard: refuses a path whose `user_id` is somebody whom the caller may not see, in the same way as one that
 * does not exist (docs/contract/messaging.md#guests).
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
