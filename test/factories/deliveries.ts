import { DataSource } from 'typeorm';
import { newId } from '../../src/platform/common/ids.js';
import { flowOf, isOrderedLane } from '../../src/delivery/dispatch/delivery-kind.js';
import { Delivery, DeliveryRecovery } from '../../src/delivery/dispatch/delivery.entity.js';
import type { TestServer } from '../support/test-server.js';

const ROWS_PER_INSERT = 50;

/** Inserts deliveries of a hook that are due now. `fields` replace columns; `seq` is that of the first row. */
export async function insertDeliveries(
  server: TestServer,
  hook: { readonly id: string; readonly channel_id: string; readonly callback_urls: readonly string[] },
  count: number,
  fields: Partial<Delivery> = {},
): Promise<Delivery[]> {
  const now = Date.now();
  const url = fields.url ?? hook.callback_urls[0] ?? '';
  const rows = Array.from({ length: count }, (_, index): Delivery => ({
    id: newId(),
    kind: 'outgoing_hook',
    ownerId: hook.id,
    subjectId: newId(),
    url,
    lane: new URL(url).origin,
    flow:
      fields.lane === undefined || !isOrderedLane(fields.lane) ? flowOf(fields.ownerId ?? hook.id, url) : '',
    body: { channel_id: hook.channel_id, text: `row ${index}` },
    sharesPayload: false,
    contentType: 'application/json',
    status: 'pending',
    reason: '',
    attempts: 0,
    step: 0,
    nextAttemptAt: now,
    createAt: now,
    finishAt: 0,
    lastCode: 0,
    lastError: '',
    replyPostId: '',
    retryAt: 0,
    ...fields,
    seq: (fields.seq ?? now * 2048) + index,
  }));
  const deliveries = server.app.get(DataSource).getRepository(Delivery);
  for (let start = 0; start < count; start += ROWS_PER_INSERT)
    // Copies, because TypeORM reads columns with a default back, and mixes up the rows.
    await deliveries.insert(rows.slice(start, start + ROWS_PER_INSERT).map((row) => ({ ...row })) as never);
  return rows;
}

/** Inserts a recovery of a hook that has ended. */
export async function insertRecovery(
  server: TestServer,
  hook: { readonly id: string },
): Promise<DeliveryRecovery> {
  const row: DeliveryRecovery = {
    ...{ id: newId(), ownerId: hook.id, createAt: 1, since: 0, until: 1, total: 1, waiting: 0, requeued: 1 },
    ...{ cursorSeq: 0, finishAt: Date.now(), isStopped: false, filter: '' },
  };
  await server.app
    .get(DataSource)
    .getRepository(DeliveryRecovery)
    .insert({ ...row });
  return row;
}
