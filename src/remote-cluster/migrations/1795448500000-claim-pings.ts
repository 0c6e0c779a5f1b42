import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn, addBooleanColumn } from '../../platform/database/table-columns.js';

const ONLINE_MS = 5 * 60_000;

/** Adds who may ping a peer until when, and what was announced of it: of one that has just answered, that it is online. */
export class ClaimPings1795448500000 implements MigrationInterface {
  readonly name = 'ClaimPings1795448500000';

  async up(runner: QueryRunner): Promise<void> {
    await addBigColumn(runner, 'remote_clusters', 'pinged_until');
    await addBooleanColumn(runner, 'remote_clusters', 'is_announced_online');
    const since = Date.now() - ONLINE_MS;
    await runner.query(`UPDATE remote_clusters SET is_announced_online = 1 WHERE last_ping_at > ${since}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['pinged_until', 'is_announced_online'])
      await runner.query(`ALTER TABLE remote_clusters DROP COLUMN ${column}`);
  }
}
