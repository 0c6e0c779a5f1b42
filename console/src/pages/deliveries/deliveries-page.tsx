import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { deliveriesRoute } from '../../app/router';
import { PageHead } from '../../parts/page-head';
import { DeliveryBrowser } from './delivery-browser';
import type { Delivery } from './delivery-queries';
import { type Filters, lastingFilters } from './filters';
import { LastDay } from './last-day';

/** Deliveries of all webhooks, with last-day totals if unfiltered. The filters are in the shareable URL. */
export function DeliveriesPage(): ReactNode {
  const { delivery, of, ...filters } = deliveriesRoute.useSearch();
  const navigate = useNavigate();
  const show = (wanted: Filters, opened?: Pick<Delivery, 'id' | 'hook_id'>, isStep = false): void =>
    void navigate({
      to: '/deliveries',
      search: { ...wanted, ...(opened && { delivery: opened.id, of: opened.hook_id }) },
      replace: isStep,
      resetScroll: false,
    });
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const isFiltered = Object.keys(lastingFilters(filters)).length > 0;
  return (
    <>
      <PageHead
        title="Deliveries"
        description="What outgoing webhooks have sent, and how receivers responded."
      />
      {!isFiltered && !isPhone && <LastDay onFilter={show} />}
      <DeliveryBrowser
        filters={filters}
        opened={delivery === undefined || of === undefined ? undefined : { id: delivery, hook_id: of }}
        onShow={show}
      />
    </>
  );
}
