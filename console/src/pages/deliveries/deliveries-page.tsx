import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { deliveriesRoute } from '../../app/router';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { DeliveryDetails } from './delivery-details';
import { DeliveryList } from './delivery-list';
import { allDeliveries } from './delivery-queries';
import { FilterBar } from './filter-bar';
import type { Filters } from './filters';
import { LastDay } from './last-day';
import { LiveTail } from './live-tail';

/** Nothing changes in a list that is held, nor when one comes back to it. */
const HELD = { refetchInterval: false, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

/** What all webhooks sent. The filters are in the address, which can be sent to somebody else. */
export function DeliveriesPage(): ReactNode {
  const { delivery, of, ...filters } = deliveriesRoute.useSearch();
  const navigate = useNavigate();
  const [isHeld, hold] = useState(false);
  const all = allDeliveries(filters);
  const query = useInfiniteQuery(isHeld ? { ...all, ...HELD } : all);
  const show = (search: Filters & { delivery?: string; of?: string }): void =>
    void navigate({ to: '/deliveries', search, replace: true });
  return (
    <>
      <PageHead title="Deliveries" />
      <LastDay />
      <FilterBar filters={filters} onChange={show} />
      <LiveTail key={`tail ${JSON.stringify(filters)}`} filters={filters} isHeld={isHeld} onHold={hold} />
      <DeliveryList
        key={`list ${JSON.stringify(filters)}`}
        query={query}
        onOpen={({ id, hook_id: hookId }) => show({ ...filters, delivery: id, of: hookId })}
        onOlder={(before) => show({ ...filters, before: String(before) })}
      />
      <Modal title="Delivery" isLight isOpen={delivery !== undefined} onClose={() => show(filters)} isWide>
        {delivery !== undefined && of !== undefined && <DeliveryDetails hookId={of} deliveryId={delivery} />}
      </Modal>
    </>
  );
}
