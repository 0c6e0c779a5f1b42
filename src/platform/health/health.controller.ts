import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../common/dto/operation.js';
import { Public } from '../access/access.js';
import { HealthDto, HealthService, HEALTHY, ReadinessDto } from './health.service.js';

/** Health checks, outside the API prefix, for load balancers and supervisors. */
@ApiTags('operation')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Public({ readsSession: false })
  @Operation({
    summary: 'Whether the process runs',
    description: 'Asks nothing else, so a restart is due only if this does not answer.',
    ok: HealthDto,
  })
  getLiveness(): HealthDto {
    return HEALTHY;
  }

  @Get('ready')
  @Public({ readsSession: false })
  @Operation({
    summary: 'Whether the server can serve',
    description:
      '503 when the database does not answer within two seconds, and while the server stops. What is wrong with Redis is a warning: the server serves without it.',
    ok: ReadinessDto,
  })
  async getReadiness(): Promise<ReadinessDto> {
    await this.health.requireReady();
    const { warnings } = this.health;
    return warnings.length === 0 ? HEALTHY : { ...HEALTHY, warnings };
  }
}
