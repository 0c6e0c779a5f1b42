import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useMemo } from 'react';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { exactTime, Time } from '../../parts/time';
import { type DeliveryPage, isFull, type ListedDelivery, TONES } from './delivery-queries';
import { errorInWords } from './error-classes';
import { isOfFilter } from './filters';
import { statusInWords } from './reasons';
import { RetryMany } from './retry-many';
import type { Selection } from './selection';

const ROW_HEIGHT = 44;

interface DeliveryListProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<DeliveryPage>>;
  /** Without it nothing can be selected. */
  readonly selection: Selection | undefined;
  /** The element that scrolls. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly isOfWebhook: boolean;
  readonly onOpen: (delivery: ListedDelivery) => void;
  /** Goes on behind a list that is as long as it may be. */
  readonly onOlder: (cursor: string) => void;
}

/** Deliveries, newest first. More is read as one scrolls, and further back while nothing has been found. */
export function DeliveryList({ query, selection, onOlder, ...shown }: DeliveryListProps): ReactNode {
  const { data, hasNextPage, isFetching } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.deliveries) ?? [], [data]);
  const { isError, fetchNextPage } = query;
  const isEmpty = rows.length === 0;
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isEmpty, hasNextPage, isFetching, isError, fetchNextPage]);
  if (query.isPending) return <p className="loading">Loading…</p>;
  if (isOfFilter(query.error)) return <p className="empty">A filter is not understood.</p>;
  const fault = query.isError && (
    <div className="row">
      <FaultNote error={query.error} />
      <button onClick={() => void query.refetch()}>Try again</button>
    </div>
  );
  if (isEmpty)
    return (
      fault || <p className="empty">{hasNextPage ? 'Looking further back…' : 'There is no such delivery.'}</p>
    );
  const end = data && isFull(data.pages) ? data.pages.at(-1)?.next_cursor : undefined;
  return (
    <>
      {fault}
      {selection && <RetryMany selection={selection} shownIds={rows.map(({ id }) => id)} />}
      <Rows rows={rows} query={query} selection={selection} {...shown} />
      {end !== undefined && (
        <p>
          These are the first {rows.length}. <button onClick={() => onOlder(end)}>Show older ones</button>
        </p>
      )}
    </>
  );
}

interface RowsProps extends Omit<DeliveryListProps, 'onOlder'> {
  readonly rows: readonly ListedDelivery[];
}

/** Only the rows in sight are elements of the page. */
function Rows({ rows, query, selection, frame, onScroll, isOfWebhook, onOpen }: RowsProps): ReactNode {
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
  useEffect(() => onScroll, [onScroll]); // with its last row a list is gone, and scrolled no more
  return (
    <>
      <Heads isOfWebhook={isOfWebhook} isSelectable={selection !== undefined} />
      <div
        ref={frame}
        className="long-list"
        role="list"
        aria-label="Deliveries"
        tabIndex={0}
        onScroll={onScroll}
      >
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
                {selection && <Check delivery={row} selection={selection} />}
                <DeliveryRow delivery={row} onOpen={onOpen} isOfWebhook={isOfWebhook} />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </>
  );
}

interface HeadsProps {
  readonly isOfWebhook: boolean;
  readonly isSelectable: boolean;
}

/** What stands in the columns, for the eye; the rows say it themselves. */
function Heads({ isOfWebhook, isSelectable }: HeadsProps): ReactNode {
  const kind = isOfWebhook ? 'delivery-row' : 'delivery-row named';
  return (
    <div className={`${kind} delivery-heads${isSelectable ? ' selectable' : ''}`} aria-hidden="true">
      <span>Status</span>
      {!isOfWebhook && <span>Webhook</span>}
      <span className="url">Address</span>
      <span>Answer</span>
      <span className="attempts">Attempts</span>
      <span>When</span>
    </div>
  );
}

interface CheckProps {
  readonly delivery: ListedDelivery;
  readonly selection: Selection;
}

function Check({ delivery: { id, create_at: at, status }, selection }: CheckProps): ReactNode {
  return (
    <input
      type="checkbox"
      aria-label={`Select the ${statusInWords(status)} delivery of ${exactTime(at)}`}
      checked={selection.ids.has(id)}
      onChange={() => selection.toggle(id)}
    />
  );
}

interface DeliveryRowProps {
  readonly delivery: ListedDelivery;
  readonly onOpen: (delivery: ListedDelivery) => void;
  readonly isOfWebhook: boolean;
}

function DeliveryRow({ delivery, onOpen, isOfWebhook }: DeliveryRowProps): ReactNode {
  return (
    <button
      className={isOfWebhook ? 'plain delivery-row' : 'plain delivery-row named'}
      onClick={() => onOpen(delivery)}
    >
      <Badge tone={TONES[delivery.status] ?? 'quiet'}>{statusInWords(delivery.status)}</Badge>
      {!isOfWebhook && <b>{delivery.hook_display_name || 'Without a name'}</b>}
      <span className="url" title={delivery.callback_url}>
        {delivery.callback_url}
      </span>
      <Answer status={delivery.last_status_code} error={errorInWords(delivery.last_error)} />
      <span className="muted attempts">{delivery.attempts}</span>
      <Time at={delivery.create_at} />
    </button>
  );
}

interface AnswerProps {
  readonly status: number;
  readonly error: string;
}

/** What came of the last call; there may be no room for all of the words. */
function Answer({ status, error }: AnswerProps): ReactNode {
  return (
    <span className="muted answer" title={error}>
      {status > 0 ? status : error}
    </span>
  );
}
