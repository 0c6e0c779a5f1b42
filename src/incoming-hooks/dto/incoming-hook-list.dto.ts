import { ApiProperty } from '@nestjs/swagger';
import type { HookPage } from '../incoming-hooks.service.js';
import { IncomingHookDto } from './incoming-hook.dto.js';

/** One page of incoming webhooks with the number of all, for `include_total_count`. */
export class IncomingHookListDto {
  @ApiProperty({ type: [IncomingHookDto] }) incoming_webhooks: IncomingHookDto[];
  @ApiProperty({ type: 'integer', description: 'How many there are on all pages together.', example: 1 })
  total_count: number;

  /** The bare list unless the number was asked for. */
  static from({ hooks, totalCount }: HookPage): IncomingHookDto[] | IncomingHookListDto {
    const list = hooks.map((hook) => IncomingHookDto.from(hook));
    return totalCount === undefined ? list : { incoming_webhooks: list, total_count: totalCount };
  }
}
