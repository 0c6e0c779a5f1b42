import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StringListBody } from '../../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../../platform/common/dto/operation.js';
import { CheckedByPolicy, SignedIn } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users.permissions.js';
import { StatusDto, UpdateStatusDto } from '../dto/status.dto.js';
import { UserIdParam } from '../user-id-param.js';
import { UserStatusesService } from './user-statuses.service.js';

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
  async getUserStatusesByIds(
    @CurrentActor() actor: Actor,
    @StringListBody('user_ids', MAX_IDS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
  ): Promise<StatusDto[]> {
    return (await this.statuses.list(actor, ids)).map((status) => StatusDto.from(status));
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
