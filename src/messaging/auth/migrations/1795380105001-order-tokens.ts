import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../../platform/database/table-columns.js';

const NEW = [
  ['user_access_tokens', index('ix_user_access_tokens_created', 'create_at', 'id')],
  ['user_access_tokens', index('ix_user_access_tokens_of_user', 'user_id', 'create_at', 'id')],
] as const;
const OLD = [['user_access_tokens', index('ix_user_access_tokens_user', 'user_id')]] as const;

/** Lists personal access tokens, all or those of a person, by their age. */
export class OrderTokens1795380105001 implements MigrationInterface {
  readonly name = 'OrderTokens1795380105001';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, one] of NEW) await addIndex(runner, table, one);
    for (const [table, one] of OLD) await dropIndex(runner, table, one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, one] of OLD) await addIndex(runner, table, one);
    for (const [table, one] of NEW) await dropIndex(runner, table, one);
  }
}
