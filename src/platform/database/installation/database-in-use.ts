import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Settings } from '../../config/settings.js';
import { ServedDatabases } from './served-databases.js';

/** Notes in the data folder that the database is in use, once it has its first contents. */
@Injectable()
export class DatabaseInUse {
  private readonly logger = new Logger(DatabaseInUse.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  /** Not vital: without it, only the loss of the database would not be noticed. */
  async remember(): Promise<void> {
    const served = new ServedDatabases(this.settings);
    try {
      await served.remember(this.dataSource);
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException;
      if (path === undefined) throw error;
      this.logger.warn(`${served.path} cannot be written (${code}): a lost database would not be noticed.`);
    }
  }
}
