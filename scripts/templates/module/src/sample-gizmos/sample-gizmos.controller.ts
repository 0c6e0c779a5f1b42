import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../messaging/permissions/actor.js';
import { CheckedByPolicy } from '../platform/access/access.js';
import { Audited } from '../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../platform/common/dto/operation.js';
import { IdParam, type Page, QueryId, QueryPage } from '../platform/common/dto/params.js';
import { CreateSampleGizmoDto } from './dto/create-sample-gizmo.dto.js';
import { SampleGizmoDto } from './dto/sample-gizmo.dto.js';
import { UpdateSampleGizmoDto } from './dto/update-sample-gizmo.dto.js';
import { SampleGizmoPermission } from './sample-gizmos.permissions.js';
import { SampleGizmosService } from './sample-gizmos.service.js';

@ApiTags('sample gizmos')
@Controller('sample_gizmos')
@CheckedByPolicy(SampleGizmoPermission.ManageSampleGizmos, '`manage_sample_gizmos` on the team')
export class SampleGizmosController {
  constructor(private readonly gizmos: SampleGizmosService) {}

  @Post()
  @Audited('create_sample_gizmo')
  @Operation({ summary: 'Create a sample gizmo', created: SampleGizmoDto, errors: [404, 501] })
  async createSampleGizmo(
    @CurrentActor() actor: Actor,
    @Body() input: CreateSampleGizmoDto,
  ): Promise<SampleGizmoDto> {
    return SampleGizmoDto.from(await this.gizmos.create(actor, input));
  }

  @Get()
  @CheckedByPolicy(
    SampleGizmoPermission.ManageSampleGizmos,
    '`manage_sample_gizmos` on the team that `team_id` names, without one on the system',
  )
  @Operation({ summary: 'List sample gizmos, oldest first', ok: [SampleGizmoDto], errors: [501] })
  async getSampleGizmos(
    @CurrentActor() actor: Actor,
    @QueryId('team_id', 'Those of this team only.') teamId: string | undefined,
    @QueryPage() page: Page,
  ): Promise<SampleGizmoDto[]> {
    return (await this.gizmos.list(actor, teamId, page)).map((gizmo) => SampleGizmoDto.from(gizmo));
  }

  @Get(':sample_gizmo_id')
  @Operation({ summary: 'Get a sample gizmo', ok: SampleGizmoDto, errors: [404, 501] })
  async getSampleGizmo(@CurrentActor() actor: Actor, @SampleGizmoId() id: string): Promise<SampleGizmoDto> {
    return SampleGizmoDto.from(await this.gizmos.get(actor, id));
  }

  @Put(':sample_gizmo_id')
  @Audited('update_sample_gizmo', 'sample_gizmo_id')
  @Operation({ summary: 'Change a sample gizmo', ok: SampleGizmoDto, errors: [404, 501] })
  async updateSampleGizmo(
    @CurrentActor() actor: Actor,
    @SampleGizmoId() id: string,
    @Body() input: UpdateSampleGizmoDto,
  ): Promise<SampleGizmoDto> {
    return SampleGizmoDto.from(await this.gizmos.update(actor, id, input));
  }

  @Delete(':sample_gizmo_id')
  @Audited('delete_sample_gizmo', 'sample_gizmo_id')
  @Operation({ summary: 'Delete a sample gizmo', ok: StatusOkDto, errors: [404, 501] })
  async deleteSampleGizmo(@CurrentActor() actor: Actor, @SampleGizmoId() id: string): Promise<StatusOkDto> {
    await this.gizmos.delete(actor, id);
    return STATUS_OK;
  }
}

function SampleGizmoId(): ParameterDecorator {
  return IdParam('sample_gizmo_id', 'The sample gizmo.');
}
