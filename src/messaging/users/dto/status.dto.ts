import { ApiProperty } from '@nestjs/swagger';
import { BodyName, IdField, IntegerField, StringField } from '../../../platform/common/dto/fields.js';
import { type Status, STATUS_NAMES } from '../statuses/status-record.js';

/** Presence as it leaves the server. */
export class StatusDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) user_id: string;
  @ApiProperty({ enum: STATUS_NAMES, example: 'online' }) status: string;
  @ApiProperty({ description: 'Chosen by the user.' }) manual: boolean;
  @ApiProperty({ example: 1_700_000_000_000 }) last_activity_at: number;
  @ApiProperty({ description: 'When do-not-disturb ends, in seconds; 0 = no end.', example: 0 })
  dnd_end_time: number;

  static from({ userId, status, isManual, lastActivityAt, dndEndTime }: Status): StatusDto {
    return {
      user_id: userId,
      status,
      manual: isManual,
      last_activity_at: lastActivityAt,
      dnd_end_time: dndEndTime,
    };
  }
}

@BodyName('status')
export class UpdateStatusDto {
  @IdField({ required: true, description: 'The id of the user, the same as in the path.' }) user_id: string;
  @StringField({
    required: true,
    description: 'The status.',
    enum: ['online', 'away', 'dnd', 'offline'],
    example: 'away',
  })
  status: string;
  @IntegerField({ description: 'When do-not-disturb ends, in seconds; 0 = no end.', example: 0, default: 0 })
  dnd_end_time = 0;
}
