import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { definePermissions, RequirePermission } from '../access/access.js';
import { Operation } from '../common/dto/operation.js';
import { type Page, QueryPage } from '../common/dto/params.js';
import { AuditDto, type AuditFilter, QueryAudits } from './audit.dto.js';
import { AuditService } from './audit.service.js';

/** The permissions of the audit log. */
export const AuditPermission = definePermissions({
  ReadAudits: ['read_audits'],
});

/** Reads the audit log. */
@ApiTags('system')
@Controller('audits')
export class AuditsController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @RequirePermission(AuditPermission.ReadAudits)
  @Operation({ summary: 'Read the audit log, newest first', ok: [AuditDto] })
  async getAudits(@QueryPage() page: Page, @QueryAudits() filter: AuditFilter): Promise<AuditDto[]> {
    const rows = await this.audit.list(filter, page);
    return rows.map((row) => AuditDto.from(row));
  }
}
