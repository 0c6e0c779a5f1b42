import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import type { LiveEvent } from '../../api/live';
import { live } from '../../app/services';
import { useOneAtATime } from '../../parts/use-one-at-a-time';
import { allDeliveries, newestDeliveries } from './delivery-queries';
import type { Filters } from './filters';

interface LiveTailProps {
  readonly filters: Filters;
  /** Nothing is added to the list while somebody reads further down, or has paused it. */
  readonly isHeld: boolean;
  readonly onHold: (isHeld: boolean) => void;
}

type Page = Schemas['PlacedDeliveryListDto'];
type Known = InfiniteData<Page> | undefined;

/** The list scrolls by itself; it is known by its class, so that it need not know of this. */
const listOf = (): HTMLElement | null => document.querySelector('.long-list');

/** Adds new deliveries to the list as they come, or says how many there are. */
export function LiveTail({ filters, isHeld, onHold }: LiveTailProps): ReactNode {
  const client = useQueryClient();
  const [isPaused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState({ count: 0, isMore: false });
  const holding = useRef(isHeld);
  const { queryKey } = allDeliveries(filters);

  /** The first page again; whoever follows needs no others. */
  const read = useOneAtATime(async () => {
    setWaiting({ count: 0, isMore: false });
    client.setQueryData(queryKey, (known: Known) => known && firstOf(known));
    await client.invalidateQueries({ queryKey });
  });
  /** Only the list itself tells what is new in it: events count all deliveries, and some are shown before they are told. */
  const count = useOneAtATime(async () => {
    const newest = await newestDeliveries(filters).catch(() => undefined);
    if (newest && holding.current) setWaiting(newIn(newest, client.getQueryData(queryKey)));
  });
  const hear = useRef<(event: LiveEvent) => void>(() => undefined);
  useEffect(() => {
    holding.current = isHeld;
    hear.current = ({ event }) => {
      if (event === 'deliveries_changed') void (isHeld ? count() : read());
    };
  });
  useEffect(() => onHold(false), [onHold]); // with other filters it begins anew
  useEffect(() => {
    const stopListening = live.listen((event) => hear.current(event));
    const unsubscribe = live.subscribe('deliveries');
    return () => {
      unsubscribe();
      stopListening();
    };
  }, []);
  useEffect(() => {
    const scrolled = ({ target }: Event): void => {
      if (target === listOf()) onHold(isPaused || (target as HTMLElement).scrollTop > 0);
    };
    document.addEventListener('scroll', scrolled, true); // scrolling does not bubble
    return () => document.removeEventListener('scroll', scrolled, true);
  }, [isPaused, onHold]);

  const pause = (): void => {
    setPaused(true);
    onHold(true);
  };
  const follow = (): void => {
    setPaused(false);
    onHold(false);
    listOf()?.scrollTo({ top: 0 });
    void read();
  };
  return (
    <div className="row tail">
      <button className="small" onClick={isPaused ? follow : pause}>
        {isPaused ? 'Go on' : 'Pause'}
      </button>
      <span className="muted">
        {isPaused ? 'Paused.' : isHeld ? 'Scroll up to go on.' : 'New deliveries appear by themselves.'}
      </span>
      <span role="status">
        {waiting.count > 0 && (
          <button className="small" onClick={follow}>
            {waiting.count}
            {waiting.isMore && '+'} new
          </button>
        )}
      </span>
    </div>
  );
}

/** How many of the newest page are not in the list, down to where the list ends; `isMore` if there may be others behind them. */
function newIn({ deliveries, next_cursor: next }: Page, known: Known): { count: number; isMore: boolean } {
  const shown = known?.pages.flatMap((page) => page.deliveries) ?? [];
  const ids = new Set(shown.map(({ id }) => id));
  const end = shown.at(-1)?.create_at ?? 0;
  const count = deliveries.filter(({ id, create_at: at }) => !ids.has(id) && at >= end).length;
  return { count, isMore: count === deliveries.length && next !== '' };
}

function firstOf({ pages, pageParams }: NonNullable<Known>): Known {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}
