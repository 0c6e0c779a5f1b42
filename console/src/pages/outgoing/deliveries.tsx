import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { outgoingHookRoute } from '../../app/router';
import { isAdmin, useUser } from '../../app/session';
import { Modal } from '../../parts/modal';
import { DeliveryDetails } from '../deliveries/delivery-details';
import { DeliveryLog } from '../deliveries/delivery-log';
import { FilterBar } from '../deliveries/filter-bar';
import { activeFilters, type Filters } from '../deliveries/filters';
import type { OutgoingHook } from './outgoing-queries';
import { Recover } from './recover';

/** A webhook's deliveries, newest first, and a way to resend missed ones. */
export function Deliveries({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const search = outgoingHookRoute.useSearch();
  const { delivery: deliveryId } = search;
  const filters = activeFilters(search);
  const source = { filters, hookId: hook.id, isOfAdmin: isAdmin(useUser()) };
  const navigate = useNavigate();
  const show = (wanted: Filters & { delivery?: string }): void =>
    void navigate({ to: '.', search: { ...wanted, tab: 'deliveries' } });
  return (
    <>
      <Recover hook={hook} />
      <FilterBar source={source} onChange={show} />
      <DeliveryLog
        key={JSON.stringify(filters)}
        source={source}
        onOpen={({ id }) => show({ ...filters, delivery: id })}
        onOlder={(after) => show({ ...filters, after })}
      />
      <Modal title="Delivery" isLight isOpen={deliveryId !== undefined} onClose={() => show(filters)} isWide>
        {deliveryId !== undefined && (
          <DeliveryDetails key={deliveryId} hookId={hook.id} deliveryId={deliveryId} />
        )}
      </Modal>
    </>
  );
}
