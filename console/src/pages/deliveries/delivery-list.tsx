import { Button, Checkbox, Group, Kbd, Paper, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconFilterOff, IconSend } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { withToggled } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { ErrorState } from '../../parts/error-state';
import { FaultNote } from '../../parts/fault-note';
import { Loading } from '../../parts/loading';
import classes from './deliveries.module.css';
import { type DeliveryPage, isFull, type ListedDelivery } from './delivery-queries';
import { Check, DeliveryRow } from './delivery-row';
import { isOfFilter } from './filters';
import { MAX_SELECTED, type Selection } from './resend';

const ROW_HEIGHT = 40;
/** Height of a row on phones, which has two lines. */
const PHONE_ROW_HEIGHT = 58;

interface DeliveryListProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<DeliveryPage>>;
  /** All loaded rows. */
  readonly rows: readonly ListedDelivery[];
  /** Removes the filters; undefined if there are none. */
  readonly onClear: (() => void) | undefined;
  /** If undefined, rows cannot be selected. */
  readonly selection: Selection | undefined;
  /** The scrolling element. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly isOfWebhook: boolean;
  /** Id of the delivery whose details are shown. */
  readonly openId: string | undefined;
  readonly onOpen: (delivery: ListedDelivery) => void;
  readonly onResend: (delivery: ListedDelivery) => void;
  /** Continues past a list of the maximum length. */
  readonly onOlder: (cursor: string) => void;
}

/** Deliveries, newest first. Loads more on scroll, and keeps going back while nothing matches. */
export function DeliveryList({ query, rows, onClear, onOlder, ...shown }: DeliveryListProps): ReactNode {
  const { data, error, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isEmpty = rows.length === 0;
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isEmpty, hasNextPage, isFetching, isError, fetchNextPage]);
  const clear = onClear && (
    <Button variant="default" onClick={onClear}>
      Clear filters
    </Button>
  );
  if (isOfFilter(error))
    return (
      <Empty icon={IconFilterOff} text="A filter is not valid.">
        {clear}
      </Empty>
    );
  if (error && isEmpty) return <ErrorState error={error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Loading />;
  if (isEmpty && hasNextPage) return <Empty icon={IconFilterOff} text="Looking further back…" />;
  if (isEmpty)
    return clear ? (
      <Empty icon={IconFilterOff} text="No deliveries match these filters.">
        {clear}
      </Empty>
    ) : (
      <Empty
        icon={IconSend}
        title="No deliveries yet"
        text="They appear here when a message triggers an outgoing webhook."
      />
    );
  const end = data && isFull(data.pages) ? data.pages.at(-1)?.next_cursor : undefined;
  return (
    <>
      {error && <FaultNote error={error} />}
      <Rows rows={rows} query={query} {...shown} />
      <Group gap="xs" mt="xs" c="dimmed" fz="xs">
        {end === undefined ? (
          `${rows.length.toLocaleString()} shown`
        ) : (
          <>
            These are the first {rows.length.toLocaleString()}.
            <Button variant="default" size="compact-xs" onClick={() => onOlder(end)}>
              Show older
            </Button>
          </>
        )}
        <Group gap={4} ml="auto" visibleFrom="sm" aria-hidden>
          <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> move · <Kbd size="xs">Enter</Kbd> opens ·{' '}
          {shown.selection && (
            <>
              <Kbd size="xs">x</Kbd> selects ·{' '}
            </>
          )}
          <Kbd size="xs">r</Kbd> resends
        </Group>
      </Group>
    </>
  );
}

type RowsProps = Omit<DeliveryListProps, 'onOlder' | 'onClear'>;

/** Only visible rows are in the DOM. */
function Rows({ rows, query, selection, frame, onScroll, ...row }: RowsProps): ReactNode {
  const { isOfWebhook, openId, onOpen, onResend } = row;
  const isPhone = window.innerWidth <= 768;
  const height = isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 10,
  });
  const shown = list.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && last >= rows.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage, last, rows.length]);
  useEffect(() => onScroll, [onScroll]); // a list without rows is gone and no longer scrolls
  const focused = useRef('');
  const current = (): number => rows.findIndex(({ id }) => id === (openId ?? focused.current));
  const move = (by: number): void => {
    const index = Math.min(Math.max(current() + by, 0), rows.length - 1);
    const next = rows[index];
    if (!next || !isFree(openId)) return;
    list.scrollToIndex(index);
    focused.current = next.id;
    if (openId !== undefined) onOpen(next);
    else requestAnimationFrame(() => buttonOf(frame.current, next.id)?.focus());
  };
  const act = (action: ((delivery: ListedDelivery) => void) | undefined) => (): void => {
    const found = rows[current()];
    if (found && isFree(openId)) action?.(found);
  };
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['r', act(onResend)],
    ['x', act(selection && (({ id }) => selection.choose(withToggled(selection.ids, id))))],
  ]);
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  };
  return (
    <Paper withBorder radius="md" style={{ overflow: 'hidden' }}>
      <Group gap="0.75rem" px="0.75rem" h={36} wrap="nowrap" c="dimmed" fz="xs" fw={600} visibleFrom="sm">
        {selection && <CheckAll rows={rows} selection={selection} />}
        <div className={`${classes['row']} ${isOfWebhook ? classes['ofWebhook'] : ''}`} aria-hidden>
          <span>Status</span>
          {!isOfWebhook && <span>Webhook</span>}
          <span>URL</span>
          <span>Response</span>
          <span>Attempts</span>
          <Text span inherit ta="right">
            Created
          </Text>
        </div>
      </Group>
      <div
        ref={frame}
        className={classes['frame']}
        role="list"
        aria-label="Deliveries"
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={press}
        onFocus={({ target }) => {
          focused.current = target.dataset['id'] ?? focused.current;
        }}
      >
        <div style={{ height: list.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start }) => {
            const delivery = rows[index];
            return delivery ? (
              <div
                key={delivery.id}
                role="listitem"
                className={classes['item']}
                data-open={delivery.id === openId || undefined}
                data-selected={selection?.ids.has(delivery.id) || undefined}
                style={{ top: start, height }}
              >
                {selection && <Check delivery={delivery} selection={selection} />}
                <DeliveryRow delivery={delivery} onOpen={onOpen} isOfWebhook={isOfWebhook} />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </Paper>
  );
}

/** Whether keys are meant for the list: no other dialog than the details is open. */
const isFree = (openId: string | undefined): boolean =>
  document.querySelectorAll('[role=dialog]').length === (openId === undefined ? 0 : 1);

const buttonOf = (frame: HTMLElement | null, id: string): HTMLElement | null | undefined =>
  frame?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);

interface CheckAllProps {
  readonly rows: readonly ListedDelivery[];
  readonly selection: Selection;
}

function CheckAll({ rows, selection: { ids, choose } }: CheckAllProps): ReactNode {
  const most = rows.slice(0, MAX_SELECTED);
  const areAll = most.every(({ id }) => ids.has(id));
  const title = `Select all shown${rows.length > most.length ? `, ${MAX_SELECTED} at most` : ''}`;
  return (
    <Checkbox
      size="xs"
      aria-label={title}
      title={title}
      checked={areAll}
      indeterminate={!areAll && ids.size > 0}
      onChange={() => choose(areAll ? [] : most.map(({ id }) => id))}
    />
  );
}
