import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { clientAddressOf } from '../../platform/common/http/client-address.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { Public } from '../../platform/access/access.js';
import { UserDto } from '../users/dto/user.dto.js';
import { AuthenticationService } from './authentication.service.js';
import { LoginDto } from './dto/login.dto.js';
import { type LoginClient, LoginService } from './login.service.js';
import { SessionCookies } from './session-cookies.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('sessions')
@Controller('users')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    private readonly authentication: AuthenticationService,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Public({ readsSession: false, who: 'none' })
  @Operation({
    summary: 'Sign in',
    description:
      'The session token comes in the header `Token`. With `X-Requested-With: XMLHttpRequest` the cookies of a browser are set as well. Ten wrong passwords for a name from one address are answered 429 for the rest of ten minutes.',
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
    const { user, session } = await this.logins.login(body, clientOf(request));
    this.cookies.handOver(request, response, { ...session, userId: user.id });
    return UserDto.from(user, 'self');
  }

  @Post('logout')
  @Public({ readsSession: false, who: 'none' })
  @Operation({
    summary: 'Sign out',
    description:
      'Ends the session that the request carries, if any. With a cookie it needs a CSRF token like any change.',
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
