import { ApiProperty } from '@nestjs/swagger';
import { STANDINGS, type Standing } from '../../delivery/dispatch/lane-calls.js';
import { CHANGE_REASONS, type ChangeReason } from '../../delivery/dispatch/limits/limit-change.js';
import type { LaneLimits } from '../../delivery/dispatch/limits/lane-limits.service.js';
import { EndpointDto } from './endpoint.dto.js';
import type { EndpointDetail } from './endpoints.service.js';

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

/** A change of how many calls an endpoint gets. */
export class LimitChangeDto {
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

/** How many calls an endpoint gets, and what became of that. */
export class EndpointLimitsDto {
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

/** An endpoint, and how many calls it gets. */
export class EndpointDetailDto extends EndpointDto {
  @ApiProperty({ type: EndpointLimitsDto }) limits: EndpointLimitsDto;

  static fromDetail(detail: EndpointDetail): EndpointDetailDto {
    return { ...EndpointDto.from(detail), limits: EndpointLimitsDto.from(detail.limits) };
  }
}
