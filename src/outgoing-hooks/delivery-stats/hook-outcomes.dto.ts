import { ApiProperty } from '@nestjs/swagger';
import { BodyName, StringListField } from '../../platform/common/dto/fields.js';
import { type HookOutcomes, MAX_CHARTED_HOOKS, type OutcomesOfHooks } from './hook-outcomes.service.js';
import { OUTCOME_RANGE_NAMES, type OutcomeRange } from './steps.js';

/** Whose outcomes are asked for. */
@BodyName('stats')
export class ListHookOutcomesDto {
  @StringListField({
    required: true,
    description: `The ids of 1 to ${MAX_CHARTED_HOOKS} outgoing webhooks.`,
    example: ['b1f8zcm5wtd5jfzn8u5fxpbkje'],
  })
  hook_ids: string[];
}

/** How the calls of one webhook went. */
export class HookOutcomesDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ type: [Number], description: 'Attempts that delivered, by point.', example: [0, 12] })
  delivered: readonly number[];
  @ApiProperty({ type: [Number], description: 'Attempts that failed, by point.', example: [1, 0] })
  failed: readonly number[];

  static from({ hookId, delivered, failed }: HookOutcomes): HookOutcomesDto {
    return { hook_id: hookId, delivered, failed };
  }
}

/** How the calls of several webhooks went, over the same points of time. */
export class OutcomesOfHooksDto {
  @ApiProperty({ enum: OUTCOME_RANGE_NAMES, example: '24h' }) range: OutcomeRange;
  @ApiProperty({
    description: 'When the first point begins; milliseconds since the epoch. The last one is not over yet.',
    example: 1764633600000,
  })
  start: number;
  @ApiProperty({ description: 'How long a point is.', example: 3600 }) step_seconds: number;
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
