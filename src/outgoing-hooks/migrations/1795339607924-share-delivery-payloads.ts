import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addBooleanColumn,
  addIndex,
  createTable,
  id,
  index,
  json,
  text,
} from '../../platform/database/table-columns.js';

const BY_SUBJECT = index('ix_deliveries_subject', 'subject_id');

/** Stores what the deliveries of one message have in common once. Those stored before keep their whole body. */
export class ShareDeliveryPayloads1795339607924 implements MigrationInterface {
  readonly name = 'ShareDeliveryPayloads1795339607924';

  async up(runner: QueryRunner): Promise<void> {
    const primary = { isPrimary: true };
    await createTable(runner, 'delivery_payloads', [
      id('subject_id', primary),
      text('kind', 32, primary),
      json('body'),
    ]);
    await addBooleanColumn(runner, 'deliveries', 'shares_payload');
    await addIndex(runner, 'deliveries', BY_SUBJECT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('deliveries', BY_SUBJECT.name ?? '');
    await runner.dropColumn('deliveries', 'shares_payload');
    await runner.dropTable('delivery_payloads');
  }
}
