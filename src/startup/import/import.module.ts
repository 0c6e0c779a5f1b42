import { Module } from '@nestjs/common';
import { PermissionsModule } from '../../messaging/permissions/permissions.module.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { ImportTarget } from './target.repository.js';

/** The part of the server that an import uses. */
@Module({ imports: [PlatformModule, PermissionsModule], providers: [ImportTarget] })
export class ImportModule {}

/** What to do if the server runs. */
export const STOP_HINT = 'Stop it for the import.';
