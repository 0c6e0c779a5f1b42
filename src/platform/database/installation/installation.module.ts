import { Module } from '@nestjs/common';
import { Declares } from '../../modules/declares.js';
import { InstallationRow } from './installation.entity.js';
import { CreateInstallation1795354821911 } from './migrations/1795354821911-create-installation.js';

/** Declares the table by which a database is known again; `openDatabase` reads and writes it. */
@Module({})
@Declares({ entities: [InstallationRow], migrations: [CreateInstallation1795354821911] })
export class InstallationModule {}
