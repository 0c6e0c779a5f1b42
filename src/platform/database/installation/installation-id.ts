import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InstallationRow } from './installation.entity.js';

/** Tells the database from any other, whatever its address. */
@Injectable()
export class InstallationId {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async get(): Promise<string> {
    const [row] = await this.dataSource
      .getRepository(InstallationRow)
      .find({ order: { id: 'ASC' }, take: 1 });
    if (!row) throw new Error('The database has no installation row.');
    return row.id;
  }
}
