import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, index, text } from '../../platform/database/table-columns.js';

/** Makes the table of sample gizmos. */
export class CreateSampleGizmos implements MigrationInterface {
  readonly name = 'CreateSampleGizmos';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'sample_gizmos',
      [
        id('id', { isPrimary: true }),
        big('create_at'),
        big('update_at'),
        big('delete_at'),
        id('team_id'),
        id('creator_id'),
        text('display_name', 64),
      ],
      [index('ix_sample_gizmos_team', 'team_id', 'create_at', 'id')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('sample_gizmos');
  }
}
