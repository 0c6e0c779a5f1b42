import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { Preference } from './preference.entity.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { AccountsService } from './accounts.service.js';
import { UsersService } from './users.service.js';
import { UserListsReadModel } from './listing/user-lists.read-model.js';
import { UsersListingController } from './listing/users-listing.controller.js';
import { UsersListingService } from './listing/users-listing.service.js';
import { AttemptLimits, AttemptThrottle } from './passwords/attempt-throttle.js';
import { CredentialsService, KnownAddresses } from './passwords/credentials.service.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { BotsController } from './bots/bots.controller.js';
import { BotPermission, BotsPolicy } from './bots/bots.policy.js';
import { BotsService } from './bots/bots.service.js';
import { PreferencesController } from './preferences/preferences.controller.js';
import { PreferencesRepository } from './preferences/preferences.repository.js';
import { PreferencesService } from './preferences/preferences.service.js';
import { RemoteUsersService } from './remote-users.service.js';
import { StatusesController } from './statuses/statuses.controller.js';
import { StatusesService, UserStatusesService } from './statuses/statuses.service.js';
import { UserPermission, UsersPolicy } from './users.policy.js';
import { UsersRepository } from './users.repository.js';
import { UsersSettings } from './users.settings.js';
import { CreateUsers1700000000003 } from './migrations/1700000000003-create-users.js';

/** User accounts, their preferences and statuses. */
@Module({
  controllers: [
    UsersListingController,
    UsersController,
    StatusesController,
    PreferencesController,
    BotsController,
  ],
  providers: [
    UsersService,
    AccountsService,
    AttemptLimits,
    AttemptThrottle,
    CredentialsService,
    KnownAddresses,
    PasswordHasher,
    UsersPolicy,
    UsersRepository,
    UsersListingService,
    UserListsReadModel,
    StatusesService,
    UserStatusesService,
    PreferencesService,
    PreferencesRepository,
    RemoteUsersService,
    BotsService,
    BotsPolicy,
  ],
  exports: [
    UsersService,
    AccountsService,
    RemoteUsersService,
    CredentialsService,
    StatusesService,
    UsersListingService,
    UsersPolicy,
    BotsPolicy,
  ],
})
@Declares({
  migrations: [CreateUsers1700000000003],
  entities: [User, Preference],
  permissions: [UserPermission, BotPermission],
  settings: UsersSettings,
  apiGroups: [
    { name: 'users', position: 90, description: 'Accounts of users and bots.' },
    {
      name: 'bots',
      position: 100,
      description: 'Accounts for programs, which have tokens and cannot log in.',
    },
    { name: 'preferences', position: 140, description: 'Settings that clients store for a user.' },
    {
      name: 'status',
      position: 150,
      description: 'Whether users are online, away or in do-not-disturb mode.',
    },
  ],
})
export class UsersModule {}
