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
  zero,
} from '../../../platform/database/table-columns.js';

/** Creates deliveries, their attempts and recoveries, and the turns and limits of lanes. */
export class CreateDeliveries1700000000008 implements MigrationInterface {
  readonly name = 'CreateDeliveries1700000000008';

  async up(runner: QueryRunner): Promise<void> {
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
        bool('shares_payload', zero),
        text('flow', 16, empty),
      ],
      [
        index('ix_deliveries_lane', 'status', 'lane', 'next_attempt_at', 'seq'),
        index('ix_deliveries_subject', 'subject_id'),
        index('ix_deliveries_status', 'owner_id', 'status', 'seq'),
        index('ix_deliveries_finished', 'finish_at', 'seq'),
        // If `kind` came first, query planners would use it to find the few deliveries of a kind.
        index('ix_deliveries_kind', 'status', 'kind', 'seq'),
        index('ix_deliveries_flow', 'status', 'lane', 'flow', 'next_attempt_at', 'seq'),
      ],
    );
    await createTable(runner, 'delivery_payloads', [
      id('subject_id', primary),
      text('kind', 32, primary),
      json('body'),
    ]);
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
      text('detail', 2_500, empty),
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
        bool('is_stopped', zero),
        big('waiting', zero),
        text('filter', 1_000, empty),
      ],
      [
        index('ix_delivery_recoveries_owner', 'owner_id', 'create_at'),
        index('ix_delivery_recoveries_finish', 'finish_at'),
      ],
    );
    await createTable(
      runner,
      'lane_turns',
      [text('lane', 300, primary), big('epoch'), id('holder'), big('until')],
      [index('ix_lane_turns_holder', 'holder')],
    );
    await createTable(
      runner,
      'lane_limits',
      [
        text('lane', 300, primary),
        int('calls_limit'),
        text('standing', 16),
        big('paused_until'),
        big('noted_at'),
        json('changes'),
      ],
      [index('ix_lane_limits_noted', 'noted_at')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'lane_limits',
      'lane_turns',
      'delivery_recoveries',
      'delivery_attempts',
      'delivery_payloads',
      'deliveries',
    ])
      await runner.dropTable(table);
  }
}
