import { Module } from '@nestjs/common';
import { Declares } from '../../modules/declares.js';
import { ChangeRow } from '../changes/change.entity.js';
import { CreateSchedules1795421900000 } from '../schedules/migrations/1795421900000-create-schedules.js';
import { ScheduleRow } from '../schedules/schedule.entity.js';
import { CreateChanges1795420800000 } from '../changes/migrations/1795420800000-create-changes.js';
import { InstallationRow } from './installation.entity.js';
import { CreateInstallation1795354821911 } from './migrations/1795354821911-create-installation.js';

/** Declares the tables of the database itself: which one it is, and what processes that share it have changed. */
@Module({})
@Declares({
  entities: [InstallationRow, ChangeRow, ScheduleRow],
  migrations: [CreateInstallation1795354821911, CreateChanges1795420800000, CreateSchedules1795421900000],
})
export class InstallationModule {}
