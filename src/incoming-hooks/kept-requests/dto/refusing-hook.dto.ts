import { ApiProperty } from '@nestjs/swagger';
import type { RefusingHook } from '../kept-requests.repository.js';

/** A webhook that has refused calls lately (docs/contract/incoming-webhooks.md#kept-calls). */
export class RefusingHookDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ example: 'Build server' }) display_name: string;
  @ApiProperty({ description: 'Of its calls that are kept.', example: 3 }) refused_count: number;
  @ApiProperty({ description: 'When the last one came.', example: 1764633600000 }) last_refused_at: number;
  @ApiProperty({ description: 'The HTTP status of its answer.', example: 400 }) last_status: number;
  @ApiProperty({ example: 'Invalid webhook payload: text must be a string.' }) last_message: string;

  static from(hook: RefusingHook): RefusingHookDto {
    return {
      hook_id: hook.hookId,
      team_id: hook.teamId,
      display_name: hook.displayName,
      refused_count: hook.count,
      last_refused_at: hook.last.createAt,
      last_status: hook.last.status,
      last_message: hook.last.message,
    };
  }
}
