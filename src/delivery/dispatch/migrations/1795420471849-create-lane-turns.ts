import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, index, text } from '../../../platform/database/table-columns.js';

/** Creates the turns of lanes, for several processes that serve one database. */
export class CreateLaneTurns1795420471849 implements MigrationInterface {
  readonly name = 'CreateLaneTurns1795420471849';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'lane_turns',
      [text('lane', 300, { isPrimary: true }), big('epoch'), id('holder'), big('until')],
      [index('ix_lane_turns_holder', 'holder')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('lane_turns');
  }
}
