import { Global, Module } from '@nestjs/common';
import { AuditRetention } from './audit-retention.js';
import { AuditInterceptor } from './audit.interceptor.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AuditsController } from './audits.controller.js';

/** One row per administrative mutation. */
@Global()
@Module({
  controllers: [AuditsController],
  providers: [AuditService, AuditRepository, AuditInterceptor, AuditRetention],
  exports: [AuditService, AuditInterceptor],
})
export class AuditModule {}
