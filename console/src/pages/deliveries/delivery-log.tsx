import { Box, Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { DeliveryList } from './delivery-list';
import { deliveries, type ListedDelivery, type Source } from './delivery-queries';
import { activeFilters, type Filters } from './filters';
import { type Hold, LiveTail } from './live-tail';
import { MAX_SELECTED, ResendMany, useResend, useSelection } from './resend';
import { useRetryMatching } from './retry-matching';
import { isMissed } from './standing';

/** A held list does not change, not even on window focus. */
const HELD = { refetchInterval: false, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

interface DeliveryLogProps {
  readonly source: Source;
  /** Id of the delivery whose details are shown. */
  readonly openId: string | undefined;
  readonly onOpen: (delivery: ListedDelivery) => void;
  readonly onFilter: (filters: Filters) => void;
}

/**
 * Deliveries, updated live. New rows wait while the user has scrolled down, paused or selected something, so
 * that rows do not move under the pointer. Use the filters as `key` to start over when they change.
 */
export function DeliveryLog({ source, openId, onOpen, onFilter }: DeliveryLogProps): ReactNode {
  const { filters, hookId, isOfAdmin } = source;
  const [isPaused, setPaused] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  const selection = useSelection();
  const [question, resend] = useResend();
  const { progress, retryAll } = useRetryMatching(source);
  const frame = useRef<HTMLDivElement>(null);
  const hold = holdOf(isPaused, isScrolled, selection.ids.size > 0);
  const all = deliveries(source);
  const query = useInfiniteQuery(hold ? { ...all, ...HELD } : all);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.deliveries) ?? [], [query.data]);
  const missed = rows.filter(isMissed).slice(0, MAX_SELECTED);
  const scrolled = useCallback(() => setScrolled((frame.current?.scrollTop ?? 0) > 0), []);
  const matching = (variant: 'default' | 'subtle'): ReactNode =>
    retryAll && (
      <Button variant={variant} size="compact-sm" onClick={retryAll}>
        Retry all that match…
      </Button>
    );
  return (
    <>
      {isOfAdmin && (
        <Group gap="xs" ml="auto">
          {missed.length > 0 && selection.ids.size === 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => selection.choose(missed.map(({ id }) => id))}
            >
              Select the {missed.length} that failed
            </Button>
          )}
          {matching('default')}
          <LiveTail source={source} queryKey={all.queryKey} hold={hold} onPause={setPaused} frame={frame} />
        </Group>
      )}
      <Box w="100%">
        {progress}
        <DeliveryList
          query={query}
          rows={rows}
          onClear={Object.keys(activeFilters(filters)).length > 0 ? () => onFilter({}) : undefined}
          selection={isOfAdmin ? selection : undefined}
          frame={frame}
          onScroll={scrolled}
          isOfWebhook={hookId !== undefined}
          openId={openId}
          onOpen={onOpen}
          onResend={resend}
          onOlder={(after) => onFilter({ ...filters, after })}
        />
        {question}
        {isOfAdmin && (
          <ResendMany selection={selection} rows={rows}>
            {matching('subtle')}
          </ResendMany>
        )}
      </Box>
    </>
  );
}

function holdOf(isPaused: boolean, isScrolled: boolean, isSelecting: boolean): Hold {
  if (isPaused) return 'paused';
  if (isScrolled) return 'scrolled';
  return isSelecting ? 'selected' : null;
}
