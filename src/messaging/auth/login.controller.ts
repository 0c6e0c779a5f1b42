import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { Settings } from '../../platform/config/settings.js';
import { Public } from '../../platform/access/access.js';
import { UserDto } from '../users/dto/user.dto.js';
import { clearTokenCookie, cookiePath, setSessionCookies } from './cookies.js';
import { LoginBody, LoginDto } from './dto/login.dto.js';
import { LoginService } from './login.service.js';
import { presentedToken } from './presented-token.js';
import type { NewSession } from './sessions.service.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('sessions')
@Controller('users')
export class LoginController {
  private readonly cookiePath: string;

  constructor(
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
    settings: Settings,
  ) {
    this.cookiePath = cookiePath(settings.siteUrl);
  }

  @Post('login')
  @HttpCode(200)
  @Public({ readsSession: false, who: 'none' })
  @Operation({
    summary: 'Sign in',
    description:
      'The session token comes in the header `Token`. With `X-Requested-With: XMLHttpRequest` the cookies of a browser are set as well. After ten wrong passwords in a row an account is locked for ten minutes.',
    body: { type: LoginDto },
    errors: [401, 429],
  })
  @ApiOkResponse({
    type: UserDto,
    headers: { Token: { description: 'The session token.', schema: { type: 'string' } } },
  })
  async login(
    @Body(new LoginBody()) body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserDto> {
    const { login_id, id, password, device_id } = body as LoginDto;
    const { user, session } = await this.logins.login({
      loginId: login_id,
      id,
      password,
      deviceId: device_id,
      userAgent: request.headers['user-agent'] ?? '',
      address: request.isLocal ? '' : (request.ip ?? ''),
    });
    this.handOver(request, response, user.id, session);
    return UserDto.from(user, 'self');
  }

  @Post('logout')
  @Public({ readsSession: false, who: 'none' })
  @Operation({
    summary: 'Sign out',
    description: 'Ends the session that the request carries, if any.',
    ok: StatusOkDto,
  })
  async logout(
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatusOkDto> {
    await this.sessions.endByToken(presentedToken(request.headers, request.url)?.token ?? '');
    clearTokenCookie(response, this.cookiePath);
    return STATUS_OK;
  }

  private handOver(request: HttpRequest, response: Response, userId: string, session: NewSession): void {
    response.setHeader('Token', session.token);
    if (request.headers['x-requested-with'] !== 'XMLHttpRequest') return;
    setSessionCookies(request, response, this.cookiePath, { ...session, userId });
  }
}
