import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  createTable,
  id,
  index,
  int,
  json,
  longText,
  text,
} from '../../platform/database/table-columns.js';

const primary = { isPrimary: true };

/** Outgoing webhooks, and deliveries of every kind. */
export class CreateOutgoing1700000000001 implements MigrationInterface {
  readonly name = 'CreateOutgoing1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'outgoing_webhooks',
      [
        id('id', primary),
        ...['create_at', 'update_at', 'delete_at'].map((name) => big(name)),
        id('creator_id'),
        id('channel_id'),
        id('team_id'),
        json('trigger_words'),
        int('trigger_when'),
        json('callback_urls'),
        text('display_name', 64),
        text('description', 500),
        text('content_type', 128),
        text('username', 64),
        longText('icon_url'),
        ...['sealed_token', 'sealed_signing_secret', 'sealed_previous_secret'].map((name) => text(name, 512)),
        big('previous_signing_until'),
        big('disabled_at'),
        text('disabled_reason', 128),
        json('disabled_urls'),
        json('failing_urls'),
      ],
      [
        index('ix_outgoing_webhooks_team', 'team_id', 'create_at', 'id'),
        index('ix_outgoing_webhooks_create', 'create_at', 'id'),
        index('ix_outgoing_webhooks_channel', 'channel_id', 'create_at', 'id'),
      ],
    );
    await createTable(
      runner,
      'deliveries',
      [
        id('id', primary),
        big('seq'),
        text('kind', 32),
        id('owner_id'),
        id('subject_id'),
        text('url', 1024),
        text('lane', 300),
        json('body'),
        text('content_type', 128),
        text('status', 16),
        text('reason', 64),
        int('attempts'),
        int('step'),
        big('next_attempt_at'),
        big('create_at'),
        big('finish_at'),
        int('last_code'),
        text('last_error', 32),
        id('reply_post_id'),
      ],
      [
        index('ix_deliveries_lane', 'status', 'lane', 'next_attempt_at', 'seq'),
        index('ix_deliveries_owner', 'owner_id', 'seq'),
        index('ix_deliveries_finish', 'finish_at'),
      ],
    );
    await createTable(runner, 'delivery_attempts', [
      id('delivery_id', primary),
      int('number', primary),
      big('start_at'),
      int('duration_ms'),
      int('first_byte_ms'),
      int('status_code'),
      text('error_class', 32),
      text('note', 255),
      longText('reply'),
    ]);
    await createTable(
      runner,
      'delivery_recoveries',
      [
        id('id', primary),
        id('owner_id'),
        big('create_at'),
        big('since'),
        big('until'),
        int('total'),
        int('requeued'),
        big('cursor_seq'),
        big('finish_at'),
      ],
      [
        index('ix_delivery_recoveries_owner', 'owner_id', 'create_at'),
        index('ix_delivery_recoveries_finish', 'finish_at'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['delivery_recoveries', 'delivery_attempts', 'deliveries', 'outgoing_webhooks'])
      await runner.dropTable(table);
  }
}
