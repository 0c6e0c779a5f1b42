import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { deliveriesRoute } from '../../app/router';
import { isAdmin, useUser } from '../../app/session';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { DeliveryDetails } from './delivery-details';
import { DeliveryLog } from './delivery-log';
import { FilterBar } from './filter-bar';
import { activeFilters, type Filters } from './filters';
import { LastDay } from './last-day';

/** Deliveries of all webhooks, with last-day totals if unfiltered. The filters are in the shareable URL. */
export function DeliveriesPage(): ReactNode {
  const { delivery, of, ...filters } = deliveriesRoute.useSearch();
  const source = { filters, isOfAdmin: isAdmin(useUser()) };
  const navigate = useNavigate();
  const show = (search: Filters & { delivery?: string; of?: string }): void =>
    void navigate({ to: '/deliveries', search });
  return (
    <>
      <PageHead title="Deliveries" />
      {Object.keys(activeFilters(filters)).length === 0 && <LastDay />}
      <FilterBar source={source} onChange={show} />
      <DeliveryLog
        key={JSON.stringify(filters)}
        source={source}
        onOpen={({ id, hook_id: hookId }) => show({ ...filters, delivery: id, of: hookId })}
        onOlder={(after) => show({ ...filters, after })}
      />
      <Modal title="Delivery" isLight isOpen={delivery !== undefined} onClose={() => show(filters)} isWide>
        {delivery !== undefined && of !== undefined && (
          <DeliveryDetails key={delivery} hookId={of} deliveryId={delivery} />
        )}
      </Modal>
    </>
  );
}
