import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn, addTextColumn } from '../../platform/database/table-columns.js';

/** Adds when a peer last called, since when it is online, and which address of this server it was given. */
export class WatchPeers1795476627418 implements MigrationInterface {
  readonly name = 'WatchPeers1795476627418';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of ['last_heard_at', 'presence_since'])
      await addBigColumn(runner, 'remote_clusters', column);
    await addTextColumn(runner, 'remote_clusters', 'own_site_url', 512);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['last_heard_at', 'presence_since', 'own_site_url'])
      await runner.query(`ALTER TABLE remote_clusters DROP COLUMN ${column}`);
  }
}
