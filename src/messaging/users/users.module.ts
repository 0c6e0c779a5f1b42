import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { Preference } from './preference.entity.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { AccountLookupService } from './account-lookup.service.js';
import { UsersService } from './users.service.js';
import { UserListsReadModel } from './listing/user-lists.read-model.js';
import { UsersListingController } from './listing/users-listing.controller.js';
import { UsersListingService } from './listing/users-listing.service.js';
import { AttemptLimits, AttemptThrottle } from './passwords/attempt-throttle.js';
import { CredentialsService } from './passwords/credentials.service.js';
import { KnownAddresses } from './passwords/known-addresses.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { BotConversionService } from './bots/bot-conversion.service.js';
import { BotsController } from './bots/bots.controller.js';
import { BotPermission } from './bots/bots.errors.js';
import { BotsPolicy } from './bots/bots.policy.js';
import { BotsRepository } from './bots/bots.repository.js';
import { BotsService, OwnerDeactivatedListener } from './bots/bots.service.js';
import { PreferencesController } from './preferences/preferences.controller.js';
import { PreferencesRepository } from './preferences/preferences.repository.js';
import { PreferencesService } from './preferences/preferences.service.js';
import { RemoteUsersService } from './remote-users.service.js';
import { SignUpInvites, SignUpService } from './sign-up.service.js';
import { StatusesController } from './statuses/statuses.controller.js';
import { SharedStatuses, StatusesService, UserStatusesService } from './statuses/statuses.service.js';
import { UserCache } from './user-cache.js';
import { UserViewsService } from './user-views.service.js';
import { UserPermission, UsersPolicy } from './users.policy.js';
import { VisibleUserGuard, VisibleUsers } from './visible-users.js';
import { UsersRepository } from './users.repository.js';
import { UserRecords } from './user-records.js';
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
    UserRecords,
    SignUpService,
    AccountLookupService,
    UsersService,
    UserViewsService,
    PasswordsService,
    AttemptLimits,
    AttemptThrottle,
    CredentialsService,
    KnownAddresses,
    PasswordHasher,
    SignUpInvites,
    UserCache,
    UsersPolicy,
    VisibleUsers,
    VisibleUserGuard,
    UsersRepository,
    UsersListingService,
    UserListsReadModel,
    StatusesService,
    SharedStatuses,
    UserStatusesService,
    PreferencesService,
    PreferencesRepository,
    RemoteUsersService,
    BotsService,
    BotConversionService,
    BotsPolicy,
    BotsRepository,
    OwnerDeactivatedListener,
  ],
  exports: [
    SignUpInvites,
    UserRecords,
    RemoteUsersService,
    CredentialsService,
    StatusesService,
    UsersPolicy,
    BotsPolicy,
    VisibleUsers,
    VisibleUserGuard,
  ],
})
@Declares({
  migrations: [CreateUsers1700000000003],
  entities: [User, Preference],
  permissions: [UserPermission, BotPermission],
  settings: UsersSettings,
})
export class UsersModule {}
