import { Global, Module } from '@nestjs/common';
import { Declares } from '../modules/declares.js';
import { Audit } from './audit.entity.js';
import { AuditPermission, AuditsController } from './audits.controller.js';
import { AuditLists } from './audit-lists.read-model.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { RepeatedRefusals } from './repeated-refusals.js';
import { CreateAudits1700000000001 } from './migrations/1700000000001-create-audits.js';
import { AuditSettings } from './audit.settings.js';

/** The audit log, with one row for each administrative change. */
@Global()
@Module({
  controllers: [AuditsController],
  providers: [AuditService, AuditRepository, AuditLists, RepeatedRefusals],
  exports: [AuditService],
})
@Declares({
  entities: [Audit],
  migrations: [CreateAudits1700000000001],
  permissions: [AuditPermission],
  settings: AuditSettings,
})
export class AuditModule {}
