import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ConnectionEventsModule } from './connection-events/connection-events.module.js';
import { ConsoleModule } from './console/console.module.js';
import { ErrorFilter } from './app.filter.js';
import { FailureMessagesModule } from './failure-messages/failure-messages.module.js';
import { HookExecutionController } from './incoming-hooks/execution/hook-execution.controller.js';
import { IncomingHooksModule } from './incoming-hooks/incoming-hooks.module.js';
import { MessagingModule } from './messaging/messaging.module.js';
import { OutgoingHooksModule } from './outgoing-hooks/outgoing-hooks.module.js';
import type { AllSettings } from './platform/config/all-settings.js';
import { Settings } from './platform/config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import type { OwnerLock } from './platform/database/owner-lock.js';
import { collectDeclared, type Declared } from './platform/modules/collect.js';
import { DeclaredModule } from './platform/modules/declared.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { RemoteClusterModule } from './remote-cluster/remote-cluster.module.js';
import { SharedChannelsModule } from './shared-channels/shared-channels.module.js';
import { BootstrapModule } from './startup/bootstrap.module.js';
import { BootstrapSettings } from './startup/bootstrap.settings.js';

/** The root module. Each feature is one folder and one line here. */
@Module({
  imports: [
    PlatformModule,
    MessagingModule,
    IncomingHooksModule,
    OutgoingHooksModule,
    RemoteClusterModule,
    SharedChannelsModule,
    ConnectionEventsModule,
    FailureMessagesModule,
    ConsoleModule,
    BootstrapModule,
  ],
  controllers: [HookExecutionController], // here, so that the busiest route is matched first
  providers: [ErrorFilter, { provide: APP_FILTER, useExisting: ErrorFilter }],
})
export class AppModule {
  private static collected: Declared | undefined;

  /** The declarations of all modules, such as entities and migrations. Throws DeclarationClash. */
  static get declared(): Declared {
    return (this.collected ??= collectDeclared(AppModule));
  }

  /** The application with its settings and database; the owner lock must already be acquired. */
  static with(settings: AllSettings, ownerLock: OwnerLock): DynamicModule {
    const mayBeLost = settings.get(BootstrapSettings).bootstrap === 'force';
    return { module: AppModule, imports: AppModule.base(settings, ownerLock, mayBeLost) };
  }

  /** The settings, declarations and database of a server or a command. */
  static base(settings: AllSettings, ownerLock: OwnerLock, mayBeLost: boolean): DynamicModule[] {
    const { declared } = AppModule;
    return [
      DeclaredModule.with(declared, settings),
      DatabaseModule.forRoot(ownerLock, declared, settings.get(Settings), mayBeLost),
    ];
  }
}
