import { ApiProperty } from '@nestjs/swagger';
import { ENDPOINT_STATES, type EndpointState, type EndpointUse } from './endpoint-index.js';
import type { Endpoint, EndpointPage } from './endpoints.service.js';

const STATE =
  '`disabled`: all its callback URLs are given up. `failing`: calls to one fail, or it is given up.';

/** A webhook that calls an endpoint. */
export class EndpointHookDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'Deployer' }) display_name: string;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ description: 'Of what it calls there.', enum: ENDPOINT_STATES, example: 'ok' })
  state: EndpointState;
  @ApiProperty({ description: 'When that began to fail; 0 if it does not.', example: 0 }) since: number;

  @ApiProperty({ description: 'How many of its callback URLs there are given up.', example: 0 })
  disabled_url_count: number;

  static from({ hookId, displayName, teamId, state, since, disabledUrls }: EndpointUse): EndpointHookDto {
    const name = { id: hookId, display_name: displayName, team_id: teamId };
    return { ...name, state, since, disabled_url_count: disabledUrls };
  }
}

/** An endpoint that outgoing webhooks call. */
export class EndpointDto {
  @ApiProperty({ description: 'Scheme, host and port.', example: 'https://ci.example.com' })
  endpoint: string;
  @ApiProperty({ description: STATE, enum: ENDPOINT_STATES, example: 'ok' }) state: EndpointState;
  @ApiProperty({
    description:
      'When the first of its callback URLs that fail or are given up began to fail; 0 if there is none, or an earlier version did not keep it.',
    example: 0,
  })
  since: number;
  @ApiProperty({ description: 'Why a webhook was switched off that calls it; or empty.', example: '' })
  reason: string;
  @ApiProperty({ description: 'How many callback URLs are there.', example: 3 }) url_count: number;
  @ApiProperty({ description: 'How many of them fail.', example: 0 }) failing_url_count: number;
  @ApiProperty({ description: 'How many of them are given up.', example: 0 }) disabled_url_count: number;
  @ApiProperty({
    description: 'When a call of one that fails last failed, to within an hour; 0 if none fails.',
    example: 0,
  })
  last_failure_at: number;
  @ApiProperty({ description: 'Until when it is not called, as it failed so often; or 0.', example: 0 })
  spared_until: number;
  @ApiProperty({ description: 'How many webhooks call it.', example: 2 }) hook_count: number;
  @ApiProperty({
    type: [EndpointHookDto],
    description: 'Some of these webhooks, those whose calls fail first: 10 in a list, 200 on its own.',
  })
  hooks: readonly EndpointHookDto[];

  static from(endpoint: Endpoint): EndpointDto {
    return {
      endpoint: endpoint.endpoint,
      state: endpoint.state,
      since: endpoint.since,
      reason: endpoint.reason,
      url_count: endpoint.urls,
      failing_url_count: endpoint.failingUrls,
      disabled_url_count: endpoint.disabledUrls,
      last_failure_at: endpoint.lastFailureAt,
      spared_until: endpoint.sparedUntil,
      hook_count: endpoint.hookCount,
      hooks: endpoint.hooks.map((hook) => EndpointHookDto.from(hook)),
    };
  }
}

/** One page of endpoints. */
export class EndpointListDto {
  @ApiProperty({ type: [EndpointDto] }) endpoints: readonly EndpointDto[];
  @ApiProperty({ description: 'How many the list has on all pages.', example: 12 }) total_count: number;
  @ApiProperty({ description: 'How many of all endpoints are failing.', example: 1 }) failing_count: number;
  @ApiProperty({ description: 'How many of all endpoints are disabled.', example: 0 })
  disabled_count: number;

  @ApiProperty({
    description: 'At how many a delivery has been due for more than a minute; 500 or more stand for more.',
    example: 0,
  })
  overdue_count: number;
  @ApiProperty({
    description: 'When the first of these deliveries was due; 0 if there are none.',
    example: 0,
  })
  oldest_due_at: number;

  static from({
    endpoints,
    totalCount,
    failingCount,
    disabledCount,
    overdue,
  }: EndpointPage): EndpointListDto {
    return {
      endpoints: endpoints.map((endpoint) => EndpointDto.from(endpoint)),
      total_count: totalCount,
      failing_count: failingCount,
      disabled_count: disabledCount,
      overdue_count: overdue.endpoints,
      oldest_due_at: overdue.oldestDueAt,
    };
  }
}
