import { Global, Module } from '@nestjs/common';
import { Declares } from '../modules/declares.js';
import { Audit } from './audit.entity.js';
import { AuditPermission } from './audit.permissions.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AuditsController } from './audits.controller.js';
import { IndexAudits1795476701532 } from './migrations/1795476701532-index-audits.js';
import { AuditSettings } from './audit.settings.js';

/** The audit log: one row for each administrative change. */
@Global()
@Module({
  controllers: [AuditsController],
  providers: [AuditService, AuditRepository],
  exports: [AuditService],
})
@Declares({
  entities: [Audit],
  migrations: [IndexAudits1795476701532],
  permissions: [AuditPermission],
  settings: AuditSettings,
})
export class AuditModule {}
