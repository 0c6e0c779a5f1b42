import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, addTextColumn, index } from '../../../platform/database/table-columns.js';

/** Keeps who has made a team. For those that are stored nobody knows. */
export class AddTeamCreators1795351259103 implements MigrationInterface {
  readonly name = 'AddTeamCreators1795351259103';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'teams', 'creator_id', 26);
    await addIndex(runner, 'teams', index('ix_teams_creator', 'creator_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('teams', 'ix_teams_creator');
    await runner.query('ALTER TABLE teams DROP COLUMN creator_id');
  }
}
