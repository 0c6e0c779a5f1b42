import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { UsersModule } from '../users/users.module.js';
import { OwnerStates } from './owner-states.js';
import { OwnersSettings } from './owners.settings.js';

/** Tracks whether the owners of webhooks are still active. */
@Module({ imports: [UsersModule], providers: [OwnerStates], exports: [OwnerStates] })
@Declares({ settings: OwnersSettings })
export class OwnersModule {}
