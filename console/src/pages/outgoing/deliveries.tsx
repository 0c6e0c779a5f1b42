import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { outgoingHookRoute } from '../../app/router';
import { isAdmin, useUser } from '../../app/session';
import { Modal } from '../../parts/modal';
import { DeliveryDetails } from '../deliveries/delivery-details';
import { DeliveryList } from '../deliveries/delivery-list';
import { deliveriesOf } from '../deliveries/delivery-queries';
import { FilterBar } from '../deliveries/filter-bar';
import { activeFilters, type Filters } from '../deliveries/filters';
import type { OutgoingHook } from './outgoing-queries';
import { Recover } from './recover';

/** What a webhook sent, newest first, and how to send again what it missed. */
export function Deliveries({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const search = outgoingHookRoute.useSearch();
  const { delivery: deliveryId } = search;
  const filters = activeFilters(search);
  const isOfAdmin = isAdmin(useUser());
  const navigate = useNavigate();
  const query = useInfiniteQuery(deliveriesOf(hook.id, filters, isOfAdmin));
  const show = (wanted: Filters & { delivery?: string }): void =>
    void navigate({ to: '.', search: { ...wanted, tab: 'deliveries' }, replace: true });
  return (
    <>
      <Recover hook={hook} />
      <FilterBar filters={filters} onChange={show} isOfWebhook isShort={!isOfAdmin} />
      <DeliveryList
        key={JSON.stringify(filters)}
        query={query}
        isOfWebhook
        onOpen={({ id }) => show({ ...filters, delivery: id })}
        onOlder={(before) => show({ ...filters, before: String(before) })}
      />
      <Modal title="Delivery" isLight isOpen={deliveryId !== undefined} onClose={() => show(filters)} isWide>
        {deliveryId !== undefined && <DeliveryDetails hookId={hook.id} deliveryId={deliveryId} />}
      </Modal>
    </>
  );
}
