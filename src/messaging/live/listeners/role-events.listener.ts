import { Injectable } from '@nestjs/common';
import { OnEverywhere } from '../../../platform/events/listeners.js';
import { RoleDto } from '../../permissions/dto/role.dto.js';
import { RoleUpdated } from '../../permissions/permissions.events.js';
import { RolesService } from '../../permissions/roles.service.js';
import { LiveEventsService } from '../live-events.service.js';

/** Sends an event to everybody when the permissions of a role change. */
@Injectable()
export class RoleEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly roles: RolesService,
  ) {}

  @OnEverywhere(RoleUpdated)
  onRoleUpdated({ roleId }: RoleUpdated): void {
    this.live.publish({
      event: 'role_updated',
      broadcast: {},
      data: async () => ({ role: JSON.stringify(RoleDto.from(await this.roles.get(roleId))) }),
    });
  }
}
