import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, text } from '../../platform/database/table-columns.js';

const TABLE = 'outgoing_webhooks';

/** Adds how an outgoing webhook delivers: by calls, or to consumers that pull. */
export class AddDeliveryMode1795826700032 implements MigrationInterface {
  readonly name = 'AddDeliveryMode1795826700032';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, TABLE, [text('delivery', 8, { default: "'push'" })]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(TABLE, 'delivery');
  }
}
