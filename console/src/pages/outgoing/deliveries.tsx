import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { outgoingHookRoute } from '../../app/router';
import { Modal } from '../../parts/modal';
import { DeliveryDetails } from '../deliveries/delivery-details';
import { DeliveryList } from '../deliveries/delivery-list';
import { deliveriesOf, STATUSES } from '../deliveries/delivery-queries';
import type { OutgoingHook } from './outgoing-queries';

/** What a webhook sent, newest first. More is read as one scrolls. */
export function Deliveries({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { status = '', delivery: deliveryId } = outgoingHookRoute.useSearch();
  const navigate = useNavigate();
  const show = (search: { status?: string; delivery?: string }): void =>
    void navigate({ to: '.', search: { tab: 'deliveries', ...search }, replace: true });
  const query = useInfiniteQuery(deliveriesOf(hook.id, status));
  const filter = status === '' ? {} : { status };
  return (
    <>
      <div className="row">
        <select aria-label="Status" value={status} onChange={({ target }) => show({ status: target.value })}>
          <option value="">All</option>
          {STATUSES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <DeliveryList query={query} onOpen={({ id }) => show({ ...filter, delivery: id })} />
      <Modal title="Delivery" isLight isOpen={deliveryId !== undefined} onClose={() => show(filter)} isWide>
        {deliveryId !== undefined && <DeliveryDetails hookId={hook.id} deliveryId={deliveryId} />}
      </Modal>
    </>
  );
}
