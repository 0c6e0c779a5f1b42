import { ApiProperty } from '@nestjs/swagger';
import * as stats from './counts.js';
import { BodyName, StringListField } from '../../platform/common/dto/fields.js';

class FailedAttemptsDto {
  @ApiProperty({ description: 'Responses with a 4xx status.', example: 2 }) http_4xx: number;
  @ApiProperty({ description: 'Responses with a 5xx status.', example: 11 }) http_5xx: number;
  @ApiProperty({ description: 'No response within `OUTGOING_TIMEOUT`.', example: 0 }) timeout: number;
  @ApiProperty({ description: 'DNS, connection or TLS failures, or a broken connection.', example: 1 })
  connection: number;
  @ApiProperty({ description: 'Anything else, such as a 3xx.', example: 0 }) other: number;
}

class DeliveryCountsDto {
  @ApiProperty({ description: 'Successful attempts.', example: 240 }) delivered: number;
  @ApiProperty({ description: 'Failed attempts.', type: FailedAttemptsDto }) failed: FailedAttemptsDto;
  @ApiProperty({ description: 'Deliveries that ended without success.', example: 0 }) given_up: number;
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

  static from(counts: stats.Counts): DeliveryCountsDto {
    const latencies = counts.slice(stats.OUTCOMES.length);
    const countOf = (outcome: stats.CountedOutcome): number => stats.countOf(counts, outcome);
    return {
      delivered: countOf('delivered'),
      failed: {
        http_4xx: countOf('failed_4xx'),
        http_5xx: countOf('failed_5xx'),
        timeout: countOf('failed_timeout'),
        connection: countOf('failed_connection'),
        other: countOf('failed_other'),
      },
      given_up: countOf('given_up'),
      p50_ms: stats.latencyQuantile(latencies, 0.5),
      p99_ms: stats.latencyQuantile(latencies, 0.99),
    };
  }
}

class DeliveryStatsPointDto extends DeliveryCountsDto {
  @ApiProperty({ description: 'Its start; milliseconds since the epoch.', example: 1764633600000 })
  start: number;
}

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
  @ApiProperty({ enum: stats.RANGE_NAMES, example: '24h' }) range: stats.StatsRange;
  @ApiProperty({ description: 'Length of a point.', example: 300 }) step_seconds: number;
  @ApiProperty({
    type: [DeliveryStatsPointDto],
    description: 'One per step, in order, including empty ones. The last one is not complete yet.',
  })
  points: DeliveryStatsPointDto[];
  @ApiProperty({ type: DeliveryTotalsDto }) totals: DeliveryTotalsDto;

  /** From the counts of each point of a range that starts at `from`. */
  static from(range: stats.StatsRange, from: number, points: readonly stats.Counts[]): DeliveryStatsDto {
    const { stepSeconds } = stats.RANGES[range];
    const all = stats.noCounts();
    for (const counts of points) stats.addCounts(all, counts);
    const totals = DeliveryCountsDto.from(all);
    const attempts = stats.attemptsOf(all);
    // Rounded down, so that a million means no failures.
    const rate = attempts === 0 ? null : Math.floor((totals.delivered * 1e6) / attempts);
    return {
      range,
      step_seconds: stepSeconds,
      points: points.map((counts, index) => {
        const start = from + index * stepSeconds * 1_000;
        return { start, ...DeliveryCountsDto.from(counts) };
      }),
      totals: { ...totals, success_per_million: rate },
    };
  }
}

/** The webhooks whose outcomes are requested. */
@BodyName('stats')
export class ListHookOutcomesDto {
  @StringListField({
    required: true,
    description: `The ids of 1 to ${stats.MAX_CHARTED_HOOKS} outgoing webhooks.`,
    example: ['b1f8zcm5wtd5jfzn8u5fxpbkje'],
  })
  hook_ids: string[];
}

class HookOutcomesDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ type: [Number], description: 'Successful attempts, by point.', example: [0, 12] })
  delivered: readonly number[];
  @ApiProperty({ type: [Number], description: 'Failed attempts, by point.', example: [1, 0] })
  failed: readonly number[];
}

/** The call outcomes of several webhooks over the same time points. */
export class OutcomesOfHooksDto {
  @ApiProperty({ enum: stats.OUTCOME_RANGE_NAMES, example: '24h' }) range: stats.OutcomeRange;
  @ApiProperty({
    description:
      'Start of the first point; milliseconds since the epoch. The last point is not complete yet.',
    example: 1764633600000,
  })
  start: number;
  @ApiProperty({ description: 'Length of a point.', example: 3600 }) step_seconds: number;
  @ApiProperty({ type: [HookOutcomesDto] }) hooks: readonly HookOutcomesDto[];
}
