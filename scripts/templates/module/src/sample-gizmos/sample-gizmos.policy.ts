import { Injectable } from '@nestjs/common';
import type { Actor } from '../messaging/permissions/actor.js';
import { PermissionsService } from '../messaging/permissions/permissions.service.js';
import { SampleGizmoPermission } from './sample-gizmos.permissions.js';

/** Who may touch which sample gizmo. */
@Injectable()
export class SampleGizmosPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  /** Those of a team; without one, those of every team. Throws `permissionDenied`. */
  async requireManage(actor: Actor, teamId: string | undefined): Promise<void> {
    const scope = teamId === undefined ? 'system' : { teamId };
    await this.permissions.require(actor, SampleGizmoPermission.ManageSampleGizmos, scope);
  }
}
