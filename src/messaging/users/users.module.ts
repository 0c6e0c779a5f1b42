import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { Preference } from './preference.entity.js';
import { User } from './user.entity.js';
import { AccountAccessController } from './account-access.controller.js';
import { AccountLookupService } from './account-lookup.service.js';
import { UsersService } from './users.service.js';
import { UserListsReadModel } from './listing/user-lists.read-model.js';
import { UsersListingController } from './listing/users-listing.controller.js';
import { UsersListingService } from './listing/users-listing.service.js';
import { AttemptLimits } from './passwords/attempt-limits.js';
import { AttemptThrottle } from './passwords/attempt-throttle.js';
import { CredentialsService } from './passwords/credentials.service.js';
import { KnownAddresses } from './passwords/known-addresses.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { BotConversionService } from './bots/bot-conversion.service.js';
import { BotsController } from './bots/bots.controller.js';
import { BotPermission } from './bots/bots.permissions.js';
import { BotsPolicy } from './bots/bots.policy.js';
import { BotsRepository } from './bots/bots.repository.js';
import { BotsService } from './bots/bots.service.js';
import { OwnerDeactivatedListener } from './bots/owner-deactivated.listener.js';
import { PreferencesController } from './preferences/preferences.controller.js';
import { PreferencesRepository } from './preferences/preferences.repository.js';
import { PreferencesService } from './preferences/preferences.service.js';
import { RemoteUsersService } from './remote-users.service.js';
import { SignUpInvites } from './sign-up-invites.js';
import { SignUpService } from './sign-up.service.js';
import { StatusesController } from './statuses/statuses.controller.js';
import { SharedStatuses } from './statuses/shared-statuses.js';
import { StatusesService } from './statuses/statuses.service.js';
import { UserStatusesService } from './statuses/user-statuses.service.js';
import { UserCache } from './user-cache.js';
import { UserViewsService } from './user-views.service.js';
import { UsersLookupController } from './users-lookup.controller.js';
import { UsersController } from './users.controller.js';
import { UsersPolicy } from './users.policy.js';
import { VisibleUserGuard } from './visible-user.guard.js';
import { VisibleUsers } from './visible-users.js';
import { UsersRepository } from './users.repository.js';
import { UserRecords } from './user-records.js';
import { UsersSettings } from './users.settings.js';
import { UserPermission } from './users.permissions.js';
import { AddEmailSource1795342213324 } from './migrations/1795342213324-add-email-source.js';
import { AddDeactivatedHere1795345667838 } from './migrations/1795345667838-add-deactivated-here.js';
import { AddBots1795354990000 } from './migrations/1795354990000-add-bots.js';
import { AddKnownAddresses1795349884602 } from './migrations/1795349884602-add-known-addresses.js';
import { IndexActiveUsers1795380102001 } from './migrations/1795380102001-index-active-users.js';
import { IndexRemoteUsers1795398652602 } from './migrations/1795398652602-index-remote-users.js';

/** User accounts, their preferences and statuses. */
@Module({
  controllers: [
    UsersListingController,
    UsersLookupController,
    UsersController,
    AccountAccessController,
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
  migrations: [
    AddEmailSource1795342213324,
    AddDeactivatedHere1795345667838,
    AddKnownAddresses1795349884602,
    AddBots1795354990000,
    IndexActiveUsers1795380102001,
    IndexRemoteUsers1795398652602,
  ],
  entities: [User, Preference],
  permissions: [UserPermission, BotPermission],
  settings: UsersSettings,
})
export class UsersModule {}
