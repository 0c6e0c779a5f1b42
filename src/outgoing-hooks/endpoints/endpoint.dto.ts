import { ApiProperty } from '@nestjs/swagger';
import { ENDPOINT_STATES, type EndpointState, type EndpointUse } from './endpoint-index.js';
import type { Endpoint, EndpointDetail, EndpointPage } from './endpoints.service.js';
import { type Standing, STANDINGS } from '../../delivery/dispatch/lane-calls.js';
import { CHANGE_REASONS, type ChangeReason } from '../../delivery/dispatch/limits/limit-change.js';
import type { LaneLimits } from '../../delivery/dispatch/limits/lane-limits.service.js';

const STATE =
  '`disabled`: all its callback URLs are given up. `failing`: calls to one fail, or it is given up.';

/** A webhook that calls an endpoint. */
class EndpointHookDto {
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
class EndpointDto {
  @ApiProperty({ description: 'Scheme, host and port.', example: 'https://ci.example.com' })
  endpoint: string;
  @ApiProperty({ description: STATE, enum: ENDPOINT_STATES, example: 'ok' }) state: EndpointState;
  @ApiProperty({
    description:
      'When the first of its callback URLs that fail or are given up began to fail; 0 if there is none.',
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

const WHY = [
  '`answered`: calls delivered.',
  '`failed`: calls were answered with a failure, or not in time.',
  '`unreachable`: there was no connection.',
  '`slow`: a call took longer than 2 s, or had a large reply.',
  '`spared`: so many calls in a row failed that it is not called for a while.',
  '`resumed`: that while is over.',
  '`forgotten`: it was not called for ten minutes, and begins anew.',
].join(' ');
const STANDING =
  '`trusted`: the last call delivered quickly. `suspect`: it failed or hangs. `unknown`: none has ended yet.';

/** A change of an endpoint's call limit. */
class LimitChangeDto {
  @ApiProperty({ description: 'When it began.', example: 1764633600000 }) at: number;
  @ApiProperty({ description: WHY, enum: CHANGE_REASONS, example: 'failed' }) why: ChangeReason;
  @ApiProperty({ description: 'How many of the kind there were within a minute.', example: 3 })
  times: number;
  @ApiProperty({ description: 'The limit before.', example: 8 }) from: number;
  @ApiProperty({ description: 'The limit after.', example: 1 }) to: number;
  @ApiProperty({ description: STANDING, enum: STANDINGS, example: 'suspect' }) standing: Standing;
  @ApiProperty({ description: 'Until when it was not to be called then; or 0.', example: 0 })
  paused_until: number;
}

/** An endpoint's current call limit and its recent changes. */
class EndpointLimitsDto {
  @ApiProperty({ description: 'How many calls are being made.', example: 2 }) running: number;
  @ApiProperty({ description: 'How many it may get at a time now.', example: 8 }) now: number;
  @ApiProperty({ description: '`OUTGOING_PER_ENDPOINT`.', example: 32 }) most: number;
  @ApiProperty({ description: STANDING, enum: STANDINGS, example: 'trusted' }) standing: Standing;
  @ApiProperty({ description: 'Until when it is not called; or 0.', example: 0 }) paused_until: number;
  @ApiProperty({
    description:
      'As of when the limit is known: when it last changed. A process that starts, or takes over the calls of another one, begins anew, which is known with the next change. 0 if nothing has changed for a day.',
    example: 1764633600000,
  })
  noted_at: number;
  @ApiProperty({ type: [LimitChangeDto], description: 'The last changes, the newest first.' })
  changes: readonly LimitChangeDto[];

  static from(limits: LaneLimits): EndpointLimitsDto {
    return {
      running: limits.running,
      now: limits.now,
      most: limits.most,
      standing: limits.standing,
      paused_until: limits.pausedUntil,
      noted_at: limits.notedAt,
      changes: limits.changes.map(({ at, why, times, from, to, standing, pausedUntil }) => ({
        ...{ at, why, times, from, to, standing },
        paused_until: pausedUntil,
      })),
    };
  }
}

/** An endpoint with its call limits. */
export class EndpointDetailDto extends EndpointDto {
  @ApiProperty({ type: EndpointLimitsDto }) limits: EndpointLimitsDto;

  static fromDetail(detail: EndpointDetail): EndpointDetailDto {
    return { ...EndpointDto.from(detail), limits: EndpointLimitsDto.from(detail.limits) };
  }
}
