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
    summary: 'Check whether the process runs',
    description: 'Checks nothing else, so restart the process only if this does not respond.',
    ok: HealthDto,
  })
  getLiveness(): HealthDto {
    return HEALTHY;
  }

  @Get('ready')
  @Public({ readsSession: false })
  @Operation({
    summary: 'Check whether the server is ready',
    description:
      '503 if the database does not respond within two seconds, and while the server stops. Problems with Redis are warnings, because the server works without it.',
    ok: ReadinessDto,
  })
  async getReadiness(): Promise<ReadinessDto> {
    await this.health.requireReady();
    const { warnings } = this.health;
    return warnings.length === 0 ? HEALTHY : { ...HEALTHY, warnings };
  }
}
