import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, index, int, primary, text } from '../../platform/database/table-columns.js';

const LATENCY_BUCKETS = 16;

/** Creates the attempt counters used for charts. */
export class CreateDeliveryStats1700000000011 implements MigrationInterface {
  readonly name = 'CreateDeliveryStats1700000000011';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'delivery_stats',
      [
        text('subject', 300, primary),
        int('step_seconds', primary),
        big('start_at', primary),
        int('delivered'),
        int('failed_4xx'),
        int('failed_5xx'),
        int('failed_timeout'),
        int('failed_connection'),
        int('failed_other'),
        int('given_up'),
        ...Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => int(`latency_${bucket}`)),
      ],
      [index('ix_delivery_stats_start', 'step_seconds', 'start_at')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('delivery_stats');
  }
}
