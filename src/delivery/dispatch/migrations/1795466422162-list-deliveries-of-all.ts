import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../../platform/database/table-columns.js';

// The kind is not the first: there it would tempt planners that look for some deliveries of it.
const OF_KIND = index('ix_deliveries_kind', 'status', 'kind', 'seq');

/** Finds the deliveries of all owners of a kind by their status, newest first. */
export class ListDeliveriesOfAll1795466422162 implements MigrationInterface {
  readonly name = 'ListDeliveriesOfAll1795466422162';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'deliveries', OF_KIND);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'deliveries', OF_KIND);
  }
}
