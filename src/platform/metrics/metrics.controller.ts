import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Operation } from '../common/dto/operation.js';
import { Public } from '../access/access.js';
import { MetricsService } from './metrics.service.js';

/** Outside the API's prefix, where Prometheus looks for it. */
@ApiTags('operation')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Public({ readsSession: false })
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Operation({
    summary: 'Figures about the server, for Prometheus',
    description: 'Holds no names, no ids and no texts. Labels are route patterns, statuses and kinds.',
  })
  @ApiOkResponse({
    description: 'The text format of Prometheus.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  getMetrics(): Promise<string> {
    return this.metrics.exposition();
  }
}
