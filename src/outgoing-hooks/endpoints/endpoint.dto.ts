import { ApiProperty } from '@nestjs/swagger';
import {
  ENDPOINT_STATES,
  type EndpointState,
  type EndpointSummary,
  type EndpointUse,
} from './endpoint-index.js';
import {
  CHANGE_REASONS,
  type ChangeReason,
  type Standing,
  STANDINGS,
} from '../../delivery/dispatch/call-limits.js';
import type { LaneLimits } from '../../delivery/dispatch/lane-limits.service.js';

const STATE =
  '`disabled`: all its callback URLs are disabled. `failing`: calls to one of them fail, or it is disabled.';

class EndpointHookDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'Deployer' }) display_name: string;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ description: 'The state of its callback URLs there.', enum: ENDPOINT_STATES, example: 'ok' })
  state: EndpointState;
  @ApiProperty({ description: 'When they began to fail; 0 if they do not.', example: 0 }) since: number;

  @ApiProperty({ description: 'Number of its disabled callback URLs there.', example: 0 })
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
    description: 'When the first of its failing or disabled callback URLs began to fail; 0 without any.',
    example: 0,
  })
  since: number;
  @ApiProperty({ description: 'Why a webhook that calls it was disabled; or empty.', example: '' })
  reason: string;
  @ApiProperty({ description: 'Number of callback URLs.', example: 3 }) url_count: number;
  @ApiProperty({ description: 'Number of failing callback URLs.', example: 0 }) failing_url_count: number;
  @ApiProperty({ description: 'Number of disabled callback URLs.', example: 0 }) disabled_url_count: number;
  @ApiProperty({
    description: 'Time of the last failed call to a failing URL, to within an hour; 0 if none fails.',
    example: 0,
  })
  last_failure_at: number;
  @ApiProperty({ description: 'Until when calls to it are paused because of failures; or 0.', example: 0 })
  spared_until: number;
  @ApiProperty({ description: 'Number of webhooks that call it.', example: 2 }) hook_count: number;
  @ApiProperty({
    type: [EndpointHookDto],
    description: 'Some of these webhooks, failing ones first: 10 in a list, 200 for a single endpoint.',
  })
  hooks: readonly EndpointHookDto[];

  static from(endpoint: EndpointSummary, hooks: readonly EndpointUse[], sparedUntil: number): EndpointDto {
    return {
      endpoint: endpoint.endpoint,
      state: endpoint.state,
      since: endpoint.since,
      reason: endpoint.reason,
      url_count: endpoint.urls,
      failing_url_count: endpoint.failingUrls,
      disabled_url_count: endpoint.disabledUrls,
      last_failure_at: endpoint.lastFailureAt,
      spared_until: sparedUntil,
      hook_count: endpoint.hookCount,
      hooks: hooks.map((hook) => EndpointHookDto.from(hook)),
    };
  }
}

/** One page of endpoints. */
export class EndpointListDto {
  @ApiProperty({ type: [EndpointDto] }) endpoints: readonly EndpointDto[];
  @ApiProperty({ description: 'Number of endpoints on all pages.', example: 12 }) total_count: number;
  @ApiProperty({ description: 'Number of failing endpoints.', example: 1 }) failing_count: number;
  @ApiProperty({ description: 'Number of disabled endpoints.', example: 0 }) disabled_count: number;

  @ApiProperty({
    description: 'Number of endpoints with a delivery due for more than a minute; 500 means 500 or more.',
    example: 0,
  })
  overdue_count: number;
  @ApiProperty({ description: 'When the first of these deliveries was due; 0 without any.', example: 0 })
  oldest_due_at: number;
}

const WHY = [
  '`answered`: calls succeeded.',
  '`failed`: calls failed or timed out.',
  '`unreachable`: there was no connection.',
  '`slow`: a call took longer than 2 s, or had a large reply.',
  '`spared`: calls are paused after too many failures in a row.',
  '`resumed`: the pause has ended.',
  '`forgotten`: the limit was reset after ten minutes without calls.',
].join(' ');
const STANDING =
  '`trusted`: the last call succeeded quickly. `suspect`: it failed or hangs. `unknown`: none has ended yet.';

class LimitChangeDto {
  @ApiProperty({ description: 'Its start.', example: 1764633600000 }) at: number;
  @ApiProperty({ description: WHY, enum: CHANGE_REASONS, example: 'failed' }) why: ChangeReason;
  @ApiProperty({ description: 'Number of changes of this kind within a minute.', example: 3 }) times: number;
  @ApiProperty({ description: 'The limit before.', example: 8 }) from: number;
  @ApiProperty({ description: 'The limit after.', example: 1 }) to: number;
  @ApiProperty({ description: STANDING, enum: STANDINGS, example: 'suspect' }) standing: Standing;
  @ApiProperty({ description: 'Until when calls were paused; or 0.', example: 0 }) paused_until: number;
}

/** An endpoint's current call limit and its recent changes. */
export class EndpointLimitsDto {
  @ApiProperty({ description: 'Number of running calls.', example: 2 }) running: number;
  @ApiProperty({ description: 'The current limit of concurrent calls.', example: 8 }) now: number;
  @ApiProperty({ description: '`OUTGOING_PER_ENDPOINT`.', example: 32 }) most: number;
  @ApiProperty({ description: STANDING, enum: STANDINGS, example: 'trusted' }) standing: Standing;
  @ApiProperty({ description: 'Until when calls are paused; or 0.', example: 0 }) paused_until: number;
  @ApiProperty({
    description:
      'The time of the last change of the limit. A process that starts, or takes over the calls of another one, resets the limit, which is shown after the next change. 0 if nothing has changed for a day.',
    example: 1764633600000,
  })
  noted_at: number;
  @ApiProperty({ type: [LimitChangeDto], description: 'The last changes, newest first.' })
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
}
