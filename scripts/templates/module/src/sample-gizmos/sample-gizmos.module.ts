import { Module } from '@nestjs/common';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { Declares } from '../platform/modules/declares.js';
import { SampleGizmo } from './sample-gizmo.entity.js';
import { SampleGizmosController } from './sample-gizmos.controller.js';
import { SampleGizmoPermission } from './sample-gizmos.permissions.js';
import { SampleGizmosPolicy } from './sample-gizmos.policy.js';
import { SampleGizmosRepository } from './sample-gizmos.repository.js';
import { SampleGizmosService } from './sample-gizmos.service.js';
import { SampleGizmosSettings } from './sample-gizmos.settings.js';

/** Sample gizmos: the records, and their routes. */
@Module({
  imports: [TeamsModule],
  controllers: [SampleGizmosController],
  providers: [SampleGizmosService, SampleGizmosPolicy, SampleGizmosRepository],
  exports: [SampleGizmosService],
})
@Declares({
  entities: [SampleGizmo],
  migrations: [],
  permissions: [SampleGizmoPermission],
  settings: SampleGizmosSettings,
})
export class SampleGizmosModule {}
