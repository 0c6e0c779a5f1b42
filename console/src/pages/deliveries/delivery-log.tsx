import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { DeliveryList } from './delivery-list';
import { deliveries, type ListedDelivery, type Source } from './delivery-queries';
import { type Hold, LiveTail } from './live-tail';
import { RetryMany } from './retry-many';
import { RetryMatching } from './retry-matching';
import { activeFilters } from './filters';
import { useSelection } from './selection';

/** A held list does not change, not even on window focus. */
const HELD = { refetchInterval: false, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

interface DeliveryLogProps {
  readonly source: Source;
  readonly onOpen: (delivery: ListedDelivery) => void;
  /** Continues past a list of the maximum length. */
  readonly onOlder: (cursor: string) => void;
}

/**
 * Deliveries, updated live. New rows wait while the user has scrolled down, paused or selected something, so
 * that rows do not move under the pointer. Use the filters as `key` to start over when they change.
 */
export function DeliveryLog({ source, onOpen, onOlder }: DeliveryLogProps): ReactNode {
  const [isPaused, setPaused] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  const selection = useSelection();
  const frame = useRef<HTMLDivElement>(null);
  const hold = holdOf(isPaused, isScrolled, selection.ids.size > 0);
  const all = deliveries(source);
  const query = useInfiniteQuery(hold ? { ...all, ...HELD } : all);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.deliveries) ?? [], [query.data]);
  const scrolled = useCallback(() => setScrolled((frame.current?.scrollTop ?? 0) > 0), []);
  return (
    <>
      {source.isOfAdmin && (
        <div className="list-bar">
          <LiveTail source={source} queryKey={all.queryKey} hold={hold} onPause={setPaused} frame={frame} />
          <RetryMany selection={selection} rows={rows} />
          <RetryMatching source={source} />
        </div>
      )}
      <DeliveryList
        query={query}
        rows={rows}
        isFiltered={Object.keys(activeFilters(source.filters)).length > 0}
        selection={source.isOfAdmin ? selection : undefined}
        frame={frame}
        onScroll={scrolled}
        isOfWebhook={source.hookId !== undefined}
        onOpen={onOpen}
        onOlder={onOlder}
      />
    </>
  );
}

function holdOf(isPaused: boolean, isScrolled: boolean, isSelecting: boolean): Hold {
  if (isPaused) return 'paused';
  if (isScrolled) return 'scrolled';
  return isSelecting ? 'selected' : null;
}
