import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Operation } from '../common/dto/operation.js';
import { Public } from '../access/access.js';
import { MetricsGuard } from './metrics.guard.js';
import { MetricsService } from './metrics.service.js';

/** The metrics endpoint, outside the API prefix, where Prometheus expects it. */
@ApiTags('operation')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Public({ readsSession: false })
  @UseGuards(MetricsGuard)
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Operation({
    summary: 'Get metrics of the server, for Prometheus',
    description:
      'Contains no names, ids or texts. Labels are route patterns, statuses and kinds. If METRICS_TOKEN is set, it must be sent as `Authorization: Bearer`; if METRICS_PORT is set, only that port responds.',
    errors: [401, 404],
  })
  @ApiOkResponse({
    description: 'The text format of Prometheus.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  getMetrics(): Promise<string> {
    return this.metrics.exposition();
  }
}
