import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { useDialog } from '../../parts/use-dialog';
import { DeliveryDetails } from './delivery-details';
import { DeliveryLog } from './delivery-log';
import type { Delivery } from './delivery-queries';
import { FilterBar } from './filter-bar';
import type { Filters } from './filters';
import { SavedViews } from './saved-views';

/** A delivery and its webhook. */
type Opened = Pick<Delivery, 'id' | 'hook_id'>;

interface DeliveryBrowserProps {
  /** Set if the deliveries of one webhook are shown. */
  readonly hookId?: string;
  readonly filters: Filters;
  /** The delivery whose details are shown. */
  readonly opened: Opened | undefined;
  /** Changes the URL; a step between opened deliveries replaces it. */
  readonly onShow: (filters: Filters, opened?: Opened, isStep?: boolean) => void;
}

/** Deliveries with views, filters and live updates, and the details of one in a drawer. */
export function DeliveryBrowser({ hookId, filters, opened, onShow }: DeliveryBrowserProps): ReactNode {
  const source = { filters, hookId, isOfAdmin: isAdmin(useUser()) };
  const dialog = useDialog({
    isOpen: opened !== undefined,
    onClose: () => onShow(filters),
    isLight: true,
    children: opened && <DeliveryDetails key={opened.id} hookId={opened.hook_id} deliveryId={opened.id} />,
  });
  return (
    <>
      <SavedViews source={source} onChoose={onShow} />
      <Group justify="space-between" gap="sm">
        <FilterBar source={source} onChange={onShow} />
        <DeliveryLog
          key={JSON.stringify(filters)}
          source={source}
          openId={opened?.id}
          onOpen={(one) => onShow(filters, one, opened !== undefined)}
          onFilter={onShow}
        />
      </Group>
      <Drawer title="Delivery" size={1080} {...dialog} />
    </>
  );
}
