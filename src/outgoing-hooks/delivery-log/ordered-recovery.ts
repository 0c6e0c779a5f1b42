import type { DeliveryRecovery } from '../../delivery/dispatch/delivery.entity.js';
import type { RecoveriesService, RecoveryOrder } from '../../delivery/dispatch/recoveries.service.js';

/** A recovery as shown in the API. A dry run has no id because it is not stored. */
export type OrderedRecovery = Omit<DeliveryRecovery, 'until' | 'cursorSeq' | 'filter'>;

/** Starts a recovery; a dry run only counts. Throws `recoveryIsRunning`. */
export async function orderRecovery(
  recoveries: RecoveriesService,
  order: RecoveryOrder,
  isDryRun: boolean,
): Promise<OrderedRecovery> {
  if (!isDryRun) return recoveries.order(order);
  const { total, waiting } = await recoveries.count(order);
  const { ownerId, since } = order;
  return { id: '', ownerId, since, total, waiting, requeued: 0, createAt: 0, finishAt: 0, isStopped: false };
}
