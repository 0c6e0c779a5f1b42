import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../common/dto/operation.js';
import { type Page, QueryPage } from '../common/dto/params.js';
import { RequirePermission } from '../access/access.js';
import { AuditPermission } from './audit.permissions.js';
import { AuditService } from './audit.service.js';
import { AuditDto } from './dto/audit.dto.js';

/** Reading the audit log. */
@ApiTags('system')
@Controller('audits')
export class AuditsController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @RequirePermission(AuditPermission.ReadAudits)
  @Operation({ summary: 'Read the audit log, newest first', ok: [AuditDto] })
  async getAudits(@QueryPage() page: Page): Promise<AuditDto[]> {
    return (await this.audit.list(page.offset, page.perPage)).map((row) => AuditDto.from(row));
  }
}
