import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { RequirePermission } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Page, QueryChoice, QueryPage, QueryText } from '../../platform/common/dto/params.js';
import { EndpointDetailDto } from './endpoint-detail.dto.js';
import { ENDPOINT_STATES, type EndpointState } from './endpoint-index.js';
import { EndpointListDto } from './endpoint.dto.js';
import { DOCS } from './endpoints.docs.js';
import { EndpointsService } from './endpoints.service.js';

/** It stands before the routes of one webhook, which would take `endpoints` for an id. */
@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/endpoints')
export class EndpointsController {
  constructor(private readonly endpoints: EndpointsService) {}

  @Get()
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation(DOCS.listEndpoints)
  async listEndpoints(
    @QueryChoice('state', ENDPOINT_STATES, 'Endpoints in this state only.') state: EndpointState | undefined,
    @QueryText('term', { description: 'Endpoints whose name contains this only.', example: 'example.com' })
    term: string | undefined,
    @QueryPage() page: Page,
  ): Promise<EndpointListDto> {
    return EndpointListDto.from(await this.endpoints.list({ state, term }, page));
  }

  @Get('details')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation(DOCS.getEndpoint)
  async getEndpoint(
    @QueryText('endpoint', {
      description: 'The origin of callback URLs.',
      schema: { format: 'uri' },
      example: 'https://ci.example.com',
    })
    endpoint: string | undefined,
  ): Promise<EndpointDetailDto> {
    return EndpointDetailDto.fromDetail(await this.endpoints.get(endpoint));
  }
}
