import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialect } from '../../../platform/config/settings.js';
import { addColumns, empty, id } from '../../../platform/database/table-columns.js';

/** Adds the program that posted a message and may change it. */
export class AddSourceOfPosts1795814000000 implements MigrationInterface {
  readonly name = 'AddSourceOfPosts1795814000000';

  async up(runner: QueryRunner): Promise<void> {
    // A server that copies the table rebuilds the full-text index.
    if (dialect === 'mysql') await runner.query('SET SESSION innodb_ft_enable_stopword = OFF');
    await addColumns(runner, 'posts', [id('source_id', empty)]);
    if (dialect === 'mysql') await runner.query('SET SESSION innodb_ft_enable_stopword = DEFAULT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE posts DROP COLUMN source_id');
  }
}
