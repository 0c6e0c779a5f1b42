import { ApiProperty } from '@nestjs/swagger';
import type { HookSchedule } from '../hook-schedule.entity.js';

/** A hook schedule in responses. */
export class HookScheduleDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ description: 'Milliseconds since 1970, like all times.', example: 1764633600000 })
  create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ description: '0 if not deleted.', example: 0 }) delete_at: number;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({
    description: 'Empty if it was created in local mode.',
    example: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  })
  creator_id: string;
  @ApiProperty({ example: 'First hook schedule' }) display_name: string;
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ example: 'Coffee is ready.' }) text: string;
  @ApiProperty({ example: 1764633600000 }) post_at: number;
  @ApiProperty({ description: 'When it was posted or given up; 0 before that.', example: 0 })
  posted_at: number;

  static from(schedule: HookSchedule): HookScheduleDto {
    return {
      id: schedule.id,
      create_at: schedule.createAt,
      update_at: schedule.updateAt,
      delete_at: schedule.deleteAt,
      team_id: schedule.teamId,
      creator_id: schedule.creatorId,
      display_name: schedule.displayName,
      hook_id: schedule.hookId,
      text: schedule.text,
      post_at: schedule.postAt,
      posted_at: schedule.postedAt,
    };
  }
}
