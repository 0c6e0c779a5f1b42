import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { RevokeSessionDto, SessionDto } from './dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('sessions')
@Controller('users')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post('sessions/revoke/all')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('revoke_all_sessions_of_all_users', '')
  @Operation({ summary: 'Sign everybody out', ok: StatusOkDto })
  async revokeSessionsFromAllUsers(): Promise<StatusOkDto> {
    await this.sessions.revokeEverybody();
    return STATUS_OK;
  }

  @Get(':user_id/sessions')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({ summary: 'List the sessions of a user', ok: [SessionDto], errors: [404] })
  async getSessions(@CurrentActor() actor: Actor, @UserIdParam() userId: string): Promise<SessionDto[]> {
    const { user, sessions } = await this.sessions.list(actor, userId);
    return sessions.map((session) => SessionDto.from(session, user.roles));
  }

  @Post(':user_id/sessions/revoke')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Audited('revoke_session', 'user_id/session_id')
  @Operation({ summary: 'End a session of a user', ok: StatusOkDto })
  async revokeSession(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: RevokeSessionDto,
  ): Promise<StatusOkDto> {
    await this.sessions.revoke(actor, userId, body.session_id);
    return STATUS_OK;
  }

  @Post(':user_id/sessions/revoke/all')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Audited('revoke_all_sessions', 'user_id')
  @Operation({ summary: 'End all sessions of a user', ok: StatusOkDto, errors: [404] })
  async revokeAllSessions(@CurrentActor() actor: Actor, @UserIdParam() userId: string): Promise<StatusOkDto> {
    await this.sessions.revokeAll(actor, userId);
    return STATUS_OK;
  }
}
