import { ApiProperty } from '@nestjs/swagger';
import {
  addCounts,
  attemptsOf,
  countOf,
  type Counts,
  latenciesOf,
  latencyQuantile,
  noCounts,
  OUTCOME_RANGE_NAMES,
  type OutcomeRange,
  RANGE_NAMES,
  type StatsRange,
} from './counts.js';
import {
  type DeliveryStats,
  type HookOutcomes,
  MAX_CHARTED_HOOKS,
  type OutcomesOfHooks,
} from './delivery-stats.service.js';
import { BodyName, StringListField } from '../../platform/common/dto/fields.js';

/** Failed attempts by cause. */
class FailedAttemptsDto {
  @ApiProperty({ description: 'Responses with a 4xx status.', example: 2 }) http_4xx: number;
  @ApiProperty({ description: 'Responses with a 5xx status.', example: 11 }) http_5xx: number;
  @ApiProperty({ description: 'No response within `OUTGOING_TIMEOUT`.', example: 0 }) timeout: number;
  @ApiProperty({
    description: 'DNS, connection or TLS failures, or a broken connection.',
    example: 1,
  })
  connection: number;
  @ApiProperty({ description: 'Anything else, such as a 3xx.', example: 0 }) other: number;
}

/** Attempt counts for a time span. */
class DeliveryCountsDto {
  @ApiProperty({ description: 'Successful attempts.', example: 240 }) delivered: number;
  @ApiProperty({ description: 'Failed attempts.', type: FailedAttemptsDto }) failed: FailedAttemptsDto;
  @ApiProperty({
    description: 'Deliveries that ended without success.',
    example: 0,
  })
  given_up: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Median duration of calls with a response; null without any.',
    example: 38,
  })
  p50_ms: number | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: '99th percentile of the duration of calls with a response; null without any.',
    example: 420,
  })
  p99_ms: number | null;

  static from(counts: Counts): DeliveryCountsDto {
    const latencies = latenciesOf(counts);
    return {
      delivered: countOf(counts, 'delivered'),
      failed: {
        http_4xx: countOf(counts, 'failed_4xx'),
        http_5xx: countOf(counts, 'failed_5xx'),
        timeout: countOf(counts, 'failed_timeout'),
        connection: countOf(counts, 'failed_connection'),
        other: countOf(counts, 'failed_other'),
      },
      given_up: countOf(counts, 'given_up'),
      p50_ms: latencyQuantile(latencies, 0.5),
      p99_ms: latencyQuantile(latencies, 0.99),
    };
  }
}

/** One point of a chart. */
class DeliveryStatsPointDto extends DeliveryCountsDto {
  @ApiProperty({ description: 'Its start; milliseconds since the epoch.', example: 1764633600000 })
  start: number;
}

/** The sum of all points. */
class DeliveryTotalsDto extends DeliveryCountsDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Successful attempts per million, rounded down; null without attempts.',
    example: 944_881,
  })
  success_per_million: number | null;
}

/** Delivery statistics for a time range. */
export class DeliveryStatsDto {
  @ApiProperty({ enum: RANGE_NAMES, example: '24h' }) range: StatsRange;
  @ApiProperty({ description: 'Length of a point.', example: 300 }) step_seconds: number;
  @ApiProperty({
    type: [DeliveryStatsPointDto],
    description: 'One per step, in order, including empty ones. The last one is not complete yet.',
  })
  points: DeliveryStatsPointDto[];
  @ApiProperty({ type: DeliveryTotalsDto }) totals: DeliveryTotalsDto;

  static from({ range, stepSeconds, points }: DeliveryStats): DeliveryStatsDto {
    const all = noCounts();
    for (const { counts } of points) addCounts(all, counts);
    const totals = DeliveryCountsDto.from(all);
    const attempts = attemptsOf(all);
    // Rounded down, so that a million means no failures.
    const rate = attempts === 0 ? null : Math.floor((totals.delivered * 1e6) / attempts);
    return {
      range,
      step_seconds: stepSeconds,
      points: points.map(({ startAt, counts }) => ({ start: startAt, ...DeliveryCountsDto.from(counts) })),
      totals: { ...totals, success_per_million: rate },
    };
  }
}

/** The webhooks whose outcomes are requested. */
@BodyName('stats')
export class ListHookOutcomesDto {
  @StringListField({
    required: true,
    description: `The ids of 1 to ${MAX_CHARTED_HOOKS} outgoing webhooks.`,
    example: ['b1f8zcm5wtd5jfzn8u5fxpbkje'],
  })
  hook_ids: string[];
}

/** The call outcomes of one webhook. */
class HookOutcomesDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ type: [Number], description: 'Successful attempts, by point.', example: [0, 12] })
  delivered: readonly number[];
  @ApiProperty({ type: [Number], description: 'Failed attempts, by point.', example: [1, 0] })
  failed: readonly number[];

  static from({ hookId, delivered, failed }: HookOutcomes): HookOutcomesDto {
    return { hook_id: hookId, delivered, failed };
  }
}

/** The call outcomes of several webhooks over the same time points. */
export class OutcomesOfHooksDto {
  @ApiProperty({ enum: OUTCOME_RANGE_NAMES, example: '24h' }) range: OutcomeRange;
  @ApiProperty({
    description:
      'Start of the first point; milliseconds since the epoch. The last point is not complete yet.',
    example: 1764633600000,
  })
  start: number;
  @ApiProperty({ description: 'Length of a point.', example: 3600 }) step_seconds: number;
  @ApiProperty({ type: [HookOutcomesDto] }) hooks: readonly HookOutcomesDto[];

  static from({ range, startAt, stepSeconds, hooks }: OutcomesOfHooks): OutcomesOfHooksDto {
    return {
      range,
      start: startAt,
      step_seconds: stepSeconds,
      hooks: hooks.map((hook) => HookOutcomesDto.from(hook)),
    };
  }
}
