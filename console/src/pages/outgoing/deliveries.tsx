import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { outgoingHookRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { Modal } from '../../parts/modal';
import { Time } from '../../parts/time';
import { DeliveryDetails } from './delivery-details';
import { deliveries, type Delivery, type OutgoingHook, TONES } from './outgoing-queries';

const ROW_HEIGHT = 44;
const STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'];

/** What a webhook sent, newest first. More is read as one scrolls. */
export function Deliveries({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const { status = '', delivery: deliveryId } = outgoingHookRoute.useSearch();
  const navigate = useNavigate();
  const show = (search: { status?: string; delivery?: string }): void =>
    void navigate({ to: '.', search: { tab: 'deliveries', ...search }, replace: true });
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
      <DeliveryList hookId={hook.id} status={status} onOpen={(delivery) => show({ ...filter, delivery })} />
      <Modal title="Delivery" isOpen={deliveryId !== undefined} onClose={() => show(filter)} isWide>
        {deliveryId !== undefined && <DeliveryDetails hook={hook} deliveryId={deliveryId} />}
      </Modal>
    </>
  );
}

interface DeliveryListProps {
  readonly hookId: string;
  readonly status: string;
  readonly onOpen: (deliveryId: string) => void;
}

function DeliveryList({ hookId, status, onOpen }: DeliveryListProps): ReactNode {
  const query = useInfiniteQuery(deliveries(hookId, status));
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
  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && last >= rows.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage, last, rows.length]);
  if (query.isError) return <FaultNote error={query.error} />;
  if (query.isPending) return <p className="loading">Loading…</p>;
  if (rows.length === 0) return <p className="empty">Nothing was sent{status && ` that is ${status}`}.</p>;
  return (
    <div ref={frame} className="long-list" role="list" aria-label="Deliveries" tabIndex={0}>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          return row ? (
            <div key={row.id} role="listitem" className="long-row" style={{ top: start, height: ROW_HEIGHT }}>
              <DeliveryRow delivery={row} onOpen={onOpen} />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly onOpen: (deliveryId: string) => void;
}

function DeliveryRow({ delivery, onOpen }: DeliveryRowProps): ReactNode {
  return (
    <button className="plain delivery-row" onClick={() => onOpen(delivery.id)}>
      <Badge tone={TONES[delivery.status] ?? 'quiet'}>{delivery.status}</Badge>
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
