import { Module } from '@nestjs/common';
import { Declares } from '../../modules/declares.js';
import { ChangeRow } from '../changes/change.entity.js';
import { CreateInstallation1700000000000 } from './migrations/1700000000000-create-installation.js';
import { ScheduleRow } from '../schedules/schedule.entity.js';
import { InstallationRow } from './installation.entity.js';

/** Declares the tables of the database layer: installation, changes and schedules. */
@Module({})
@Declares({
  entities: [InstallationRow, ChangeRow, ScheduleRow],
  migrations: [CreateInstallation1700000000000],
})
export class InstallationModule {}
