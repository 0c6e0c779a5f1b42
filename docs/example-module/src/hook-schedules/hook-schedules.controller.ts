import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import { IdParam, type Page, QueryId, QueryPage } from '../platform/common/dto/params.js';
import { CreateHookScheduleDto } from './dto/create-hook-schedule.dto.js';
import { HookScheduleDto } from './dto/hook-schedule.dto.js';
import { UpdateHookScheduleDto } from './dto/update-hook-schedule.dto.js';
import { HookSchedulePermission } from './hook-schedules.permissions.js';
import { HookSchedulesService } from './hook-schedules.service.js';

@ApiTags('hook schedules')
@Controller('hook_schedules')
@CheckedByPolicy(HookSchedulePermission.ManageHookSchedules, '`manage_hook_schedules` on the team')
export class HookSchedulesController {
  constructor(private readonly schedules: HookSchedulesService) {}

  @Post()
  @Audited('create_hook_schedule')
  @Operation({ summary: 'Create a hook schedule', created: HookScheduleDto, errors: [404, 501] })
  async createHookSchedule(
    @CurrentActor() actor: Actor,
    @Body() input: CreateHookScheduleDto,
  ): Promise<HookScheduleDto> {
    return HookScheduleDto.from(await this.schedules.create(actor, input));
  }

  @Get()
  @CheckedByPolicy(
    HookSchedulePermission.ManageHookSchedules,
    '`manage_hook_schedules` on the team that `team_id` names, without one on the system',
  )
  @Operation({ summary: 'List hook schedules, oldest first', ok: [HookScheduleDto], errors: [501] })
  async getHookSchedules(
    @CurrentActor() actor: Actor,
    @QueryId('team_id', 'Only those of this team.') teamId: string | undefined,
    @QueryPage() page: Page,
  ): Promise<HookScheduleDto[]> {
    return (await this.schedules.list(actor, teamId, page)).map((schedule) => HookScheduleDto.from(schedule));
  }

  @Get(':hook_schedule_id')
  @Operation({ summary: 'Get a hook schedule', ok: HookScheduleDto, errors: [404, 501] })
  async getHookSchedule(
    @CurrentActor() actor: Actor,
    @HookScheduleId() id: string,
  ): Promise<HookScheduleDto> {
    return HookScheduleDto.from(await this.schedules.get(actor, id));
  }

  @Put(':hook_schedule_id')
  @Audited('update_hook_schedule', 'hook_schedule_id')
  @Operation({ summary: 'Change a hook schedule', ok: HookScheduleDto, errors: [404, 501] })
  async updateHookSchedule(
    @CurrentActor() actor: Actor,
    @HookScheduleId() id: string,
    @Body() input: UpdateHookScheduleDto,
  ): Promise<HookScheduleDto> {
    return HookScheduleDto.from(await this.schedules.update(actor, id, input));
  }

  @Delete(':hook_schedule_id')
  @Audited('delete_hook_schedule', 'hook_schedule_id')
  @Operation({ summary: 'Delete a hook schedule', ok: StatusOkDto, errors: [404, 501] })
  async deleteHookSchedule(@CurrentActor() actor: Actor, @HookScheduleId() id: string): Promise<StatusOkDto> {
    await this.schedules.delete(actor, id);
    return STATUS_OK;
  }
}

function HookScheduleId(): ParameterDecorator {
  return IdParam('hook_schedule_id', 'The hook schedule.');
}
