import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { UsersModule } from '../users/users.module.js';
import { OwnerStates } from './owner-states.js';
import { OwnersSettings } from './owners.settings.js';

/** The owners of webhooks: whether they are still there. */
@Module({ imports: [UsersModule], providers: [OwnerStates], exports: [OwnerStates] })
@Declares({ settings: OwnersSettings })
export class OwnersModule {}
