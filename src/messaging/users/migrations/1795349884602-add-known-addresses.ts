import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTextColumn } from '../../../platform/database/table-columns.js';

/** Adds the addresses from which users have signed in. None is known of stored accounts: each login adds its own. */
export class AddKnownAddresses1795349884602 implements MigrationInterface {
  readonly name = 'AddKnownAddresses1795349884602';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'users', 'known_addresses', 255);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN known_addresses');
  }
}
