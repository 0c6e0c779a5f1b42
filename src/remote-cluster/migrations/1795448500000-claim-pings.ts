import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn, addBooleanColumn } from '../../platform/database/table-columns.js';

/**
 * Adds who may ping a peer until when, and what was announced of it. Peers that are online already are announced once
 * more, with their first answer to this version.
 */
export class ClaimPings1795448500000 implements MigrationInterface {
  readonly name = 'ClaimPings1795448500000';

  async up(runner: QueryRunner): Promise<void> {
    await addBigColumn(runner, 'remote_clusters', 'pinged_until');
    await addBooleanColumn(runner, 'remote_clusters', 'is_announced_online');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['pinged_until', 'is_announced_online'])
      await runner.query(`ALTER TABLE remote_clusters DROP COLUMN ${column}`);
  }
}
