import { Injectable } from '@nestjs/common';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';

/** Answers calls about features that Hookline does not have, after the usual permission checks. */
@Injectable()
export class StartupService {
  constructor(private readonly permissions: PermissionsService) {}

  async listCommands(actor: Actor, teamId: string | undefined): Promise<never[]> {
    if (teamId === undefined) throw new InvalidUrlParam('team_id');
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    return [];
  }
}
