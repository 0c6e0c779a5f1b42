import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy, Public, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.policy.js';
import { UserIdParam } from '../users/user-id-param.js';
import { LoginDto, RevokeSessionDto, SessionDto } from './auth.dto.js';
import { type LoginClient, SessionsService } from './sessions.service.js';
import { clientAddressOf } from '../../platform/common/http/client-address.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { UserDto } from '../users/dto/user.dto.js';
import { AuthenticationService } from './authentication.service.js';
import { SessionCookies } from './session-cookies.js';

@ApiTags('sessions')
@Controller('users')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    private readonly authentication: AuthenticationService,
  ) {}

  @Post('sessions/revoke/all')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('revoke_all_sessions_of_all_users', '')
  @Operation({ summary: 'Sign all users out', ok: StatusOkDto })
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

  @Post('login')
  @HttpCode(200)
  @Public({ readsSession: false, who: 'none' })
  @Operation({
    summary: 'Sign in',
    description:
      'The session token is in the response header `Token`. With `X-Requested-With: XMLHttpRequest` browser cookies are set as well. After ten wrong passwords for a name from one address, further attempts return 429 for the rest of ten minutes.',
    errors: [401, 429],
  })
  @ApiOkResponse({
    type: UserDto,
    headers: { Token: { description: 'The session token.', schema: { type: 'string' } } },
  })
  async login(
    @Body() body: LoginDto,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserDto> {
    const { user, session } = await this.sessions.login(body, clientOf(request));
    this.cookies.handOver(request, response, { ...session, userId: user.id });
    return UserDto.from(user, 'self');
  }

  @Post('logout')
  @Public({ readsSession: false, who: 'none' })
  @Operation({
    summary: 'Sign out',
    description:
      'Ends the session of the request, if any. With a cookie it requires a CSRF token, like any change.',
    errors: [401],
    ok: StatusOkDto,
  })
  async logout(
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatusOkDto> {
    await this.sessions.endByToken(await this.authentication.tokenToEnd(request));
    this.cookies.clear(response);
    return STATUS_OK;
  }
}

function clientOf(request: HttpRequest): LoginClient {
  return { userAgent: request.headers['user-agent'] ?? '', address: clientAddressOf(request) };
}
