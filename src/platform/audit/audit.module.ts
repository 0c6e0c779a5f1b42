import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Declares } from '../modules/declares.js';
import { Audit } from './audit.entity.js';
import { AuditPermission } from './audit.permissions.js';
import { AuditInterceptor } from './audit.interceptor.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AuditsController } from './audits.controller.js';
import { AuditSettings } from './audit.settings.js';

/** The audit log: one row for each administrative change. */
@Global()
@Module({
  controllers: [AuditsController],
  providers: [AuditService, AuditRepository, { provide: APP_INTERCEPTOR, useClass: AuditInterceptor }],
  exports: [AuditService],
})
@Declares({ entities: [Audit], permissions: [AuditPermission], settings: AuditSettings })
export class AuditModule {}
