import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../platform/database/table-columns.js';

const BY_STATUS = index('ix_deliveries_status', 'owner_id', 'status', 'seq');
const FORMER = index('ix_deliveries_owner', 'owner_id', 'seq');

/** Finds the deliveries of an owner by their status. A list of all of them merges the statuses. */
export class IndexDeliveryStatuses1795375698241 implements MigrationInterface {
  readonly name = 'IndexDeliveryStatuses1795375698241';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'deliveries', BY_STATUS);
    await dropIndex(runner, 'deliveries', FORMER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'deliveries', FORMER);
    await dropIndex(runner, 'deliveries', BY_STATUS);
  }
}
