import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, index, int, json, text } from '../../../platform/database/table-columns.js';

/** Creates what is noted of the limits of endpoints. */
export class CreateLaneLimits1795476302417 implements MigrationInterface {
  readonly name = 'CreateLaneLimits1795476302417';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'lane_limits',
      [
        text('lane', 300, { isPrimary: true }),
        int('calls_limit'),
        text('standing', 16),
        big('paused_until'),
        big('noted_at'),
        json('changes'),
      ],
      [index('ix_lane_limits_noted', 'noted_at')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('lane_limits');
  }
}
