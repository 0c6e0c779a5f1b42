import { Box } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { outgoingHookRoute } from '../../app/router';
import { DeliveryBrowser } from '../deliveries/delivery-browser';
import { activeFilters } from '../deliveries/filters';
import type { OutgoingHook } from './outgoing-queries';
import { Resend } from './resend';

/** A webhook's deliveries, newest first, and ways to resend missed ones. */
export function Deliveries({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const search = outgoingHookRoute.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <Box mb="md">
        <Resend of={{ hookId: hook.id }} />
      </Box>
      <DeliveryBrowser
        hookId={hook.id}
        filters={activeFilters(search)}
        opened={search.delivery === undefined ? undefined : { id: search.delivery, hook_id: hook.id }}
        onShow={(filters, opened, isStep = false) =>
          void navigate({
            to: '.',
            search: { ...filters, tab: 'deliveries', ...(opened && { delivery: opened.id }) },
            replace: isStep,
            resetScroll: false,
          })
        }
      />
    </>
  );
}
