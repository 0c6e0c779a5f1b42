import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { Session } from './session.entity.js';
import { UserAccessToken } from './user-access-token.entity.js';
import { UsersModule } from '../users/users.module.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { AuthenticationService } from './authentication.service.js';
import { SessionsController } from './sessions.controller.js';
import { LoginService } from './login.service.js';
import { SessionActivity } from './session-activity.js';
import { SessionCookies } from './session-cookies.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { TokenCache } from './token-cache.js';
import { UserAccessTokensController } from './user-access-tokens.controller.js';
import { TokenSearchReadModel } from './token-search.read-model.js';
import { UserAccessTokensRepository } from './user-access-tokens.repository.js';
import { UserAccessTokensService } from './user-access-tokens.service.js';
import { AuthSettings } from './auth.settings.js';
import { AuthPermission } from './auth.permissions.js';
import { CreateSessions1700000000004 } from './migrations/1700000000004-create-sessions.js';

/** Authentication: signing in and out, sessions, personal access tokens. */
@Module({
  imports: [UsersModule],
  controllers: [SessionsController, UserAccessTokensController],
  providers: [
    AuthenticationService,
    AuthenticationGuard,
    LoginService,
    SessionsService,
    SessionActivity,
    SessionCookies,
    SessionsRepository,
    TokenCache,
    UserAccessTokensService,
    UserAccessTokensRepository,
    TokenSearchReadModel,
  ],
  exports: [AuthenticationService, AuthenticationGuard, SessionsService],
})
@Declares({
  migrations: [CreateSessions1700000000004],
  entities: [Session, UserAccessToken],
  permissions: [AuthPermission],
  settings: AuthSettings,
})
export class AuthModule {}
