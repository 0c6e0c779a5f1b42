import { Global, Module } from '@nestjs/common';
import { Declares } from '../modules/declares.js';
import { Audit } from './audit.entity.js';
import { AuditPermission } from './audit.permissions.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { RepeatedRefusals } from './repeated-refusals.js';
import { AuditsController } from './audits.controller.js';
import { IndexAudits1795476701532 } from './migrations/1795476701532-index-audits.js';
import { AuditSettings } from './audit.settings.js';
import { ListAffected1795702857204 } from './migrations/1795702857204-list-affected.js';
import { CountRefusals1795704365429 } from './migrations/1795704365429-count-refusals.js';

/** The audit log: one row for each administrative change. */
@Global()
@Module({
  controllers: [AuditsController],
  providers: [AuditService, AuditRepository, RepeatedRefusals],
  exports: [AuditService],
})
@Declares({
  entities: [Audit],
  migrations: [IndexAudits1795476701532, ListAffected1795702857204, CountRefusals1795704365429],
  permissions: [AuditPermission],
  settings: AuditSettings,
})
export class AuditModule {}
