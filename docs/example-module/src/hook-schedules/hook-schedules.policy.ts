import { Injectable } from '@nestjs/common';
import type { Actor } from '../messaging/permissions/actor.js';
import { PermissionsService } from '../messaging/permissions/permissions.service.js';
import { HookSchedulePermission } from './hook-schedules.permissions.js';

/** Who may access which hook schedule. */
@Injectable()
export class HookSchedulesPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  /** Those of a team; without one, those of every team. Throws `permissionDenied`. */
  async requireManage(actor: Actor, teamId: string | undefined): Promise<void> {
    const scope = teamId === undefined ? 'system' : { teamId };
    await this.permissions.require(actor, HookSchedulePermission.ManageHookSchedules, scope);
  }
}
