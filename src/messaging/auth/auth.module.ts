import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { ExpireUserAccessTokens1700000000105 } from './migrations/1700000000105-expire-user-access-tokens.js';
import { Session } from './session.entity.js';
import { UserAccessToken } from './user-access-token.entity.js';
import { UsersModule } from '../users/users.module.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { AuthenticationService } from './authentication.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionCookies } from './session-cookies.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { UserAccessTokensController } from './user-access-tokens.controller.js';
import { TokenSearchReadModel } from './token-search.read-model.js';
import { UserAccessTokensRepository } from './user-access-tokens.repository.js';
import { AuthPermission, UserAccessTokensService } from './user-access-tokens.service.js';
import { AuthSettings } from './auth.settings.js';
import { CreateSessions1700000000004 } from './migrations/1700000000004-create-sessions.js';

/** Authentication: signing in and out, sessions, personal access tokens. */
@Module({
  imports: [UsersModule],
  controllers: [UserAccessTokensController, SessionsController],
  providers: [
    AuthenticationService,
    AuthenticationGuard,
    SessionsService,
    SessionCookies,
    SessionsRepository,
    UserAccessTokensService,
    UserAccessTokensRepository,
    TokenSearchReadModel,
  ],
  exports: [AuthenticationService, AuthenticationGuard, SessionsService, UserAccessTokensService],
})
@Declares({
  migrations: [CreateSessions1700000000004, ExpireUserAccessTokens1700000000105],
  entities: [Session, UserAccessToken],
  permissions: [AuthPermission],
  settings: AuthSettings,
  apiGroups: [
    { name: 'sessions', position: 110, description: 'Log in, log out, and list the sessions of an account.' },
    {
      name: 'personal access tokens',
      position: 120,
      description: 'Credentials for programs; they are valid until they expire or are revoked.',
    },
  ],
})
export class AuthModule {}
