import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, index, primary, unique } from '../../../platform/database/table-columns.js';

const TABLE = 'delivery_leases';

/** Creates the leases of pulled deliveries. */
export class CreateDeliveryLeases1795826700031 implements MigrationInterface {
  readonly name = 'CreateDeliveryLeases1795826700031';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      TABLE,
      [id('delivery_id', primary), id('id'), id('owner_id'), big('start_at'), big('until')],
      [unique('ix_delivery_leases_id', 'id'), index('ix_delivery_leases_owner', 'owner_id', 'until')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE);
  }
}
