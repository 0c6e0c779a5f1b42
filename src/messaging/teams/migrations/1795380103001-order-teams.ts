import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../../platform/database/table-columns.js';

const NEW = [
  ['teams', index('ix_teams_display', 'display_name', 'id', 'delete_at', 'allow_open_invite')],
] as const;

/** Lists teams by their names. */
export class OrderTeams1795380103001 implements MigrationInterface {
  readonly name = 'OrderTeams1795380103001';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, one] of NEW) await addIndex(runner, table, one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, one] of NEW) await dropIndex(runner, table, one);
  }
}
