import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect } from 'react';
import { FaultNote } from '../../parts/fault-note';
import { StatusBadge } from '../../parts/status-badge';
import { exactTime, Time } from '../../parts/time';
import { type DeliveryPage, isFull, type ListedDelivery } from './delivery-queries';
import { describeError, isSuccess } from './error-classes';
import { isOfFilter } from './filters';
import { MAX_SELECTED, type Selection } from './selection';
import { standingOfDelivery } from './standing';

const ROW_HEIGHT = 44;
/** Text for an empty list, by whether it is filtered. */
const NOTHING = {
  true: 'No deliveries match.',
  false: 'No deliveries yet. They appear when a message fires an outgoing webhook.',
} as const;

interface DeliveryListProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<DeliveryPage>>;
  /** All loaded rows. */
  readonly rows: readonly ListedDelivery[];
  readonly isFiltered: boolean;
  /** If undefined, rows cannot be selected. */
  readonly selection: Selection | undefined;
  /** The scrolling element. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly isOfWebhook: boolean;
  readonly onOpen: (delivery: ListedDelivery) => void;
  /** Continues past a list of the maximum length. */
  readonly onOlder: (cursor: string) => void;
}

/** Deliveries, newest first. Loads more on scroll, and keeps going back while nothing matches. */
export function DeliveryList({ query, rows, isFiltered, onOlder, ...shown }: DeliveryListProps): ReactNode {
  const { data, hasNextPage, isFetching } = query;
  const { isError, fetchNextPage } = query;
  const isEmpty = rows.length === 0;
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isEmpty, hasNextPage, isFetching, isError, fetchNextPage]);
  if (query.isPending) return <p className="loading">Loading…</p>;
  if (isOfFilter(query.error)) return <p className="empty">A filter is not valid.</p>;
  const fault = query.isError && (
    <div className="row">
      <FaultNote error={query.error} />
      <button onClick={() => void query.refetch()}>Try again</button>
    </div>
  );
  if (isEmpty)
    return (
      fault || <p className="empty">{hasNextPage ? 'Looking further back…' : NOTHING[`${isFiltered}`]}</p>
    );
  const end = data && isFull(data.pages) ? data.pages.at(-1)?.next_cursor : undefined;
  return (
    <>
      {fault}
      <Rows rows={rows} query={query} {...shown} />
      {end !== undefined && (
        <p>
          These are the first {rows.length}. <button onClick={() => onOlder(end)}>Show older</button>
        </p>
      )}
    </>
  );
}

type RowsProps = Omit<DeliveryListProps, 'onOlder' | 'isFiltered'>;

/** Only visible rows are in the DOM. */
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
  useEffect(() => onScroll, [onScroll]); // a list without rows is gone and no longer scrolls
  return (
    <>
      <div className="delivery-heads">
        {selection && <CheckAll rows={rows} selection={selection} />}
        <Heads isOfWebhook={isOfWebhook} />
      </div>
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

/** Visual column headers; the rows are labeled themselves. */
function Heads({ isOfWebhook }: { readonly isOfWebhook: boolean }): ReactNode {
  return (
    <div className={isOfWebhook ? 'delivery-row' : 'delivery-row named'} aria-hidden="true">
      <span>Status</span>
      {!isOfWebhook && <span>Webhook</span>}
      <span className="url">URL</span>
      <span className="answer">Answer</span>
      <span className="attempts">Tries</span>
      <span className="when">When</span>
    </div>
  );
}

interface CheckAllProps {
  readonly rows: readonly ListedDelivery[];
  readonly selection: Selection;
}

function CheckAll({ rows, selection: { ids, choose } }: CheckAllProps): ReactNode {
  const most = rows.slice(0, MAX_SELECTED);
  const areAll = most.every(({ id }) => ids.has(id));
  const title = `Select all shown${rows.length > most.length ? `, ${MAX_SELECTED} at most` : ''}`;
  return (
    <input
      type="checkbox"
      aria-label={title}
      title={title}
      checked={areAll}
      onChange={() => choose(areAll ? [] : most.map(({ id }) => id))}
    />
  );
}

interface CheckProps {
  readonly delivery: ListedDelivery;
  readonly selection: Selection;
}

function Check({ delivery, selection }: CheckProps): ReactNode {
  const { id, create_at: at } = delivery;
  return (
    <input
      type="checkbox"
      aria-label={`Select the ${standingOfDelivery(delivery).text.toLowerCase()} delivery of ${exactTime(at)}`}
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
  const standing = standingOfDelivery(delivery);
  return (
    <button
      className={isOfWebhook ? 'plain delivery-row' : 'plain delivery-row named'}
      onClick={() => onOpen(delivery)}
    >
      <StatusBadge status={standing} />
      {!isOfWebhook && <b>{delivery.hook_display_name || 'Unnamed'}</b>}
      <span className="url" title={delivery.callback_url}>
        {withoutScheme(delivery.callback_url)}
      </span>
      <Answer status={delivery.last_status_code} error={delivery.last_error} />
      <Tries delivery={delivery} />
      <Time at={delivery.create_at} />
    </button>
  );
}

interface AnswerProps {
  readonly status: number;
  readonly error: string;
}

/** Outcome of the last call; the text may be truncated. */
function Answer({ status, error }: AnswerProps): ReactNode {
  const isGood = isSuccess({ status_code: status, error });
  const words = describeError(error);
  return (
    <span className={`${isGood || (status === 0 && error === '') ? 'muted' : 'bad'} answer`} title={words}>
      {status > 0 ? status : words}
    </span>
  );
}

/** Number of calls, and when the next one is due after a failure or while the endpoint is paused. */
function Tries({ delivery }: { readonly delivery: ListedDelivery }): ReactNode {
  const { attempts, status, next_attempt_at: next, paused_until: pausedUntil } = delivery;
  return (
    <span className="muted attempts">
      {attempts}
      {status === 'pending' && (attempts > 0 || pausedUntil > 0) && (
        <small
          title={pausedUntil > 0 ? 'Its endpoint cannot be reached and is not called until then.' : undefined}
        >
          {pausedUntil > 0 ? 'paused, next' : 'next'} <Time at={next} isDue />
        </small>
      )}
    </span>
  );
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');
