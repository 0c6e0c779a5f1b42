import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, index, text } from '../../platform/database/table-columns.js';

/** Creates the table of hook schedules. */
export class CreateHookSchedules1764633600000 implements MigrationInterface {
  readonly name = 'CreateHookSchedules1764633600000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'hook_schedules',
      [
        id('id', { isPrimary: true }),
        big('create_at'),
        big('update_at'),
        big('delete_at'),
        id('team_id'),
        id('creator_id'),
        text('display_name', 64),
        id('hook_id'),
        text('text', 4_000),
        big('post_at'),
        big('posted_at'),
      ],
      [
        index('ix_hook_schedules_team', 'team_id', 'create_at', 'id'),
        index('ix_hook_schedules_hook', 'hook_id'),
        index('ix_hook_schedules_due', 'posted_at', 'post_at'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('hook_schedules');
  }
}
