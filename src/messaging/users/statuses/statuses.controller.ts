import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { BodyName, IdField, IntegerField, StringField } from '../../../platform/common/dto/fields.js';
import { type Status, STATUS_NAMES, UserStatusesService } from './statuses.service.js';
import { StringListBody } from '../../../platform/common/dto/body.pipe.js';
import { Operation } from '../../../platform/common/dto/operation.js';
import { CheckedByPolicy, SignedIn } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users.policy.js';
import { UserIdParam } from '../user-id-param.js';

/** A user's status in API responses. */
class StatusDto {
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

const MAX_IDS = 10_000;

@ApiTags('status')
@Controller('users')
export class StatusesController {
  constructor(private readonly statuses: UserStatusesService) {}

  @Post('status/ids')
  @SignedIn()
  @Operation({
    summary: 'Get the presence of several users',
    ok: [StatusDto],
  })
  getUserStatusesByIds(
    @StringListBody('user_ids', MAX_IDS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
  ): StatusDto[] {
    return this.statuses.list(ids).map((status) => StatusDto.from(status));
  }

  @Get(':user_id/status')
  @SignedIn()
  @Operation({ summary: 'Get the presence of a user', ok: StatusDto, errors: [404] })
  async getUserStatus(@UserIdParam('user_id') id: string): Promise<StatusDto> {
    return StatusDto.from(await this.statuses.get(id));
  }

  @Put(':user_id/status')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({ summary: 'Set the presence of a user', ok: StatusDto, errors: [404] })
  async updateUserStatus(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdateStatusDto,
  ): Promise<StatusDto> {
    return StatusDto.from(await this.statuses.choose(actor, id, body));
  }
}
