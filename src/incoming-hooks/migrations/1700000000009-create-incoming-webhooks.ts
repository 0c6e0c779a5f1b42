import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  createTable,
  empty,
  id,
  index,
  int,
  json,
  longText,
  primary,
  text,
  times,
  zero,
} from '../../platform/database/table-columns.js';

/** Lists exclude deleted webhooks and are sorted by age. */
const LISTED = ['delete_at', 'create_at', 'id'];

/** Creates incoming webhooks and their kept calls. */
export class CreateIncomingWebhooks1700000000009 implements MigrationInterface {
  readonly name = 'CreateIncomingWebhooks1700000000009';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'incoming_webhooks',
      [
        id('id', primary),
        ...times(),
        id('user_id'),
        id('channel_id'),
        id('team_id'),
        text('display_name', 64),
        text('description', 500),
        text('username', 64),
        longText('icon_url'),
        bool('channel_locked'),
        big('last_used'),
        id('maker_id', empty),
        bool('keep_requests', zero),
      ],
      [
        index('ix_incoming_webhooks_channel', 'channel_id'),
        index('ix_incoming_webhooks_all', ...LISTED, 'team_id', 'user_id', 'channel_id'),
        index('ix_incoming_webhooks_of_team', 'team_id', ...LISTED, 'user_id', 'channel_id'),
        index('ix_incoming_webhooks_of_user', 'user_id', ...LISTED, 'team_id', 'channel_id'),
      ],
    );
    await createTable(
      runner,
      'incoming_webhook_requests',
      [
        id('id', primary),
        id('hook_id'),
        big('create_at'),
        int('status'),
        text('error_id', 128),
        longText('message'),
        int('body_size'),
        bool('is_cut'),
        int('not_understood'),
        json('content'),
      ],
      [
        index('ix_incoming_webhook_requests_hook', 'hook_id', 'create_at', 'id'),
        index('ix_incoming_webhook_requests_create', 'create_at', 'id'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['incoming_webhook_requests', 'incoming_webhooks']) await runner.dropTable(table);
  }
}
