import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, addTextColumn, dropIndex, index } from '../../../platform/database/table-columns.js';

const BY_FLOW = index('ix_deliveries_flow', 'status', 'lane', 'flow', 'next_attempt_at', 'seq');

/** Finds what is due of each webhook and URL of an endpoint. It is not known of the deliveries that are there already. */
export class OrderByFlow1795702000000 implements MigrationInterface {
  readonly name = 'OrderByFlow1795702000000';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'deliveries', 'flow', 16);
    await addIndex(runner, 'deliveries', BY_FLOW);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'deliveries', BY_FLOW);
    await runner.dropColumn('deliveries', 'flow');
  }
}
