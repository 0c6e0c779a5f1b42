import { Box, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { outgoingHookRoute } from '../../app/router';
import { isAdmin, useUser } from '../../app/session';
import { DetailDrawer, useDetail } from '../../parts/detail-drawer';
import { DeliveryDetails } from '../deliveries/delivery-details';
import { DeliveryLog } from '../deliveries/delivery-log';
import { FilterBar } from '../deliveries/filter-bar';
import { activeFilters, type Filters } from '../deliveries/filters';
import type { OutgoingHook } from './outgoing-queries';
import { Resend } from './resend';

/** A webhook's deliveries, newest first, and ways to resend missed ones. */
export function Deliveries({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const filters = activeFilters(outgoingHookRoute.useSearch());
  const source = { filters, hookId: hook.id, isOfAdmin: isAdmin(useUser()) };
  const navigate = useNavigate();
  const [, open] = useDetail('delivery');
  const show = (wanted: Filters): void =>
    void navigate({ to: '.', search: { ...wanted, tab: 'deliveries' } });
  return (
    <>
      <Box mb="md">
        <Resend of={{ hookId: hook.id }} />
      </Box>
      <FilterBar source={source} onChange={show} />
      <DeliveryLog
        key={JSON.stringify(filters)}
        source={source}
        onOpen={({ id }) => open(id)}
        onOlder={(after) => show({ ...filters, after })}
      />
      <DetailDrawer param="delivery" title={<Text fw={600}>Delivery</Text>}>
        {(id) => <DeliveryDetails key={id} hookId={hook.id} deliveryId={id} />}
      </DetailDrawer>
    </>
  );
}
