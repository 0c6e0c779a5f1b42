import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { UserIdParam } from '../users/user-id-param.js';
import { RevokeSessionDto, SessionDto } from './dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

const WHO = 'the user; others with `edit_other_users`';

@ApiTags('sessions')
@ApiBearerAuth()
@Controller('users')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post('sessions/revoke/all')
  @HttpCode(200)
  @RequirePermission(Permission.ManageSystem)
  @Audited('revoke_all_sessions_of_all_users')
  @Operation({ summary: 'Sign everybody out', permission: '`manage_system`', errors: [401, 403] })
  @ApiOkResponse({ type: StatusOkDto })
  async revokeSessionsFromAllUsers(): Promise<StatusOkDto> {
    await this.sessions.revokeEverybody();
    return STATUS_OK;
  }

  @Get(':user_id/sessions')
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Operation({ summary: 'List the sessions of a user', permission: WHO, errors: [400, 401, 403, 404] })
  @ApiOkResponse({ type: [SessionDto] })
  async getSessions(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
  ): Promise<SessionDto[]> {
    const { user, sessions } = await this.sessions.list(actor, userId);
    return sessions.map((session) => SessionDto.from(session, user.roles));
  }

  @Post(':user_id/sessions/revoke')
  @HttpCode(200)
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Audited('revoke_session', 'user_id/session_id')
  @Operation({ summary: 'End a session of a user', permission: WHO, errors: [400, 401, 403] })
  @ApiOkResponse({ type: StatusOkDto })
  async revokeSession(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
    @Body() body: RevokeSessionDto,
  ): Promise<StatusOkDto> {
    await this.sessions.revoke(actor, userId, body.session_id ?? '');
    return STATUS_OK;
  }

  @Post(':user_id/sessions/revoke/all')
  @HttpCode(200)
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Audited('revoke_all_sessions', 'user_id')
  @Operation({ summary: 'End all sessions of a user', permission: WHO, errors: [400, 401, 403, 404] })
  @ApiOkResponse({ type: StatusOkDto })
  async revokeAllSessions(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
  ): Promise<StatusOkDto> {
    await this.sessions.revokeAll(actor, userId);
    return STATUS_OK;
  }
}
