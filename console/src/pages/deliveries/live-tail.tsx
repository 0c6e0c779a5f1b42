import { Button, ColorSwatch, Group, Text, Tooltip } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { LiveEvent } from '../../api/live';
import { live } from '../../app/services';
import { useOneAtATime } from '../../parts/use-one-at-a-time';
import { COUNTS, type DeliveryPage, newestDeliveries, type Source } from './delivery-queries';

/** Reason why no new rows are added to a list. */
export type Hold = 'paused' | 'scrolled' | 'selected' | null;

const TEXTS: Readonly<Record<Hold & string, string>> = {
  paused: 'Paused',
  scrolled: 'Paused while scrolled down',
  selected: 'Paused while selecting',
};

interface LiveTailProps {
  readonly source: Source;
  readonly queryKey: QueryKey;
  readonly hold: Hold;
  readonly onPause: (isPaused: boolean) => void;
  /** The list's scrolling element, while it exists. */
  readonly frame: RefObject<HTMLElement | null>;
}

type Known = InfiniteData<DeliveryPage> | undefined;

/** Adds new deliveries to a list live, or shows how many are waiting. */
export function LiveTail({ source, queryKey, hold, onPause, frame }: LiveTailProps): ReactNode {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState({ count: 0, isMore: false });
  const holding = useRef(hold);

  /** Reloads the first page and drops the others. */
  const read = useOneAtATime(async () => {
    setWaiting({ count: 0, isMore: false });
    client.setQueryData(queryKey, (known: Known) => known && firstOf(known));
    await client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: COUNTS });
  });
  /** Count from the list itself: events cover all deliveries, and some rows appear before their event. */
  const count = useOneAtATime(async () => {
    const newest = await newestDeliveries(source).catch(() => undefined);
    if (newest && holding.current) setWaiting(newIn(newest, client.getQueryData(queryKey)));
  });
  const hear = useRef<(event: LiveEvent) => void>(() => undefined);
  useEffect(() => {
    const wasHeld = holding.current !== null;
    holding.current = hold;
    hear.current = ({ event }) => {
      if (event === 'deliveries_changed') void (hold ? count() : read());
    };
    if (wasHeld && hold === null) void read(); // load what arrived meanwhile
  });
  useEffect(() => {
    const stopListening = live.listen((event) => hear.current(event));
    const unsubscribe = live.subscribe('deliveries');
    return () => {
      unsubscribe();
      stopListening();
    };
  }, []);

  /** Keeps the selection; the list is held again after this read. */
  const follow = (): void => {
    onPause(false);
    frame.current?.scrollTo({ top: 0 });
    if (hold === 'selected') void read();
  };
  return (
    <Group gap="xs">
      {hold && (
        <Text size="sm" c="dimmed">
          {TEXTS[hold]}
        </Text>
      )}
      <span role="status">
        {waiting.count > 0 && (
          <Button variant="light" size="compact-sm" onClick={follow}>
            {waiting.count}
            {waiting.isMore && '+'} new
          </Button>
        )}
      </span>
      {hold !== 'selected' && (
        <Tooltip label={hold ? 'Show new deliveries as they arrive' : 'Pause'}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={hold ? <IconPlayerPlayFilled size={12} /> : <Dot />}
            onClick={hold ? follow : () => onPause(true)}
          >
            {hold ? 'Resume' : 'Live'}
          </Button>
        </Tooltip>
      )}
    </Group>
  );
}

const Dot = (): ReactNode => (
  <ColorSwatch color="var(--mantine-color-green-6)" size={8} withShadow={false} aria-hidden />
);

/** Counts newest rows that the list lacks, down to its end; `isMore` if there may be more. */
function newIn(
  { deliveries, next_cursor: next }: DeliveryPage,
  known: Known,
): { count: number; isMore: boolean } {
  const shown = known?.pages.flatMap((page) => page.deliveries) ?? [];
  const ids = new Set(shown.map(({ id }) => id));
  const end = shown.at(-1)?.create_at ?? 0;
  const count = deliveries.filter(({ id, create_at: at }) => !ids.has(id) && at >= end).length;
  return { count, isMore: count === deliveries.length && next !== '' };
}

function firstOf({ pages, pageParams }: NonNullable<Known>): Known {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}
