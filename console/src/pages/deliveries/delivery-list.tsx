import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { Time } from '../../parts/time';
import { type Delivery, TONES } from './delivery-queries';

const ROW_HEIGHT = 44;

type ListedDelivery = Delivery & { readonly hook_display_name?: string };

interface DeliveryListProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly deliveries: readonly ListedDelivery[] }>>;
  readonly onOpen: (delivery: ListedDelivery) => void;
}

/** Deliveries, newest first. More is read as one scrolls, and further back while nothing has been found. */
export function DeliveryList({ query, onOpen }: DeliveryListProps): ReactNode {
  const rows = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const shown = list.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && last >= rows.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage, last, rows.length]);
  if (query.isPending) return <p className="loading">Loading…</p>;
  const fault = query.isError && (
    <div className="row">
      <FaultNote error={query.error} />
      <button onClick={() => void query.refetch()}>Try again</button>
    </div>
  );
  if (rows.length === 0)
    return (
      fault || <p className="empty">{hasNextPage ? 'Looking further back…' : 'There is no such delivery.'}</p>
    );
  return (
    <>
      {fault}
      <div ref={frame} className="long-list" role="list" aria-label="Deliveries" tabIndex={0}>
        <div style={{ height: list.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start }) => {
            const row = rows[index];
            return row ? (
              <div
                key={row.id}
                role="listitem"
                className="long-row"
                style={{ top: start, height: ROW_HEIGHT }}
              >
                <DeliveryRow delivery={row} onOpen={onOpen} />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </>
  );
}

interface DeliveryRowProps {
  readonly delivery: ListedDelivery;
  readonly onOpen: (delivery: ListedDelivery) => void;
}

function DeliveryRow({ delivery, onOpen }: DeliveryRowProps): ReactNode {
  return (
    <button className="plain delivery-row" onClick={() => onOpen(delivery)}>
      <Badge tone={TONES[delivery.status] ?? 'quiet'}>{delivery.status}</Badge>
      {delivery.hook_display_name !== undefined && <b>{delivery.hook_display_name}</b>}
      <span className="grow">{delivery.callback_url}</span>
      <span className="muted">
        {delivery.last_status_code > 0 ? delivery.last_status_code : delivery.last_error}
      </span>
      <span className="muted">
        {delivery.attempts} {delivery.attempts === 1 ? 'attempt' : 'attempts'}
      </span>
      <Time at={delivery.create_at} />
    </button>
  );
}
