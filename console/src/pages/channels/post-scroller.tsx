import { Button, Group } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { FaultNote } from '../../parts/fault-note';
import { type ChannelHistory, useOlder } from './channel-history';
import { useNames } from './channel-queries';
import { type Row, rowsOf } from './post-rows';
import { RowView } from './post-view';

/** Within this many pixels of the end, the user counts as being at the end. */
const NEAR_END = 48;
/** Estimated heights before a row is rendered. */
const USUAL_HEIGHT = 60;
const CONTINUED_HEIGHT = 28;
const DAY_HEIGHT = 36;
const LINE_HEIGHT = 22;
const MAX_LINES = 50;
/** Space for the text above the oldest message. */
const TOP = 40;
/** Loads older messages this many rows before the oldest one. */
const NEAR_START = 10;

interface PostScrollerProps {
  readonly channelId: string;
  readonly history: ChannelHistory;
  /** Number of messages sent by the user; each one scrolls the list to its end. */
  readonly sentCount: number;
  /** Newer messages of others are marked as new. */
  readonly readUntil: number;
  readonly onOpen: (postId: string) => void;
}

/**
 * Messages, newest last. The list stays at the end while the user is there, and loads older messages on
 * scrolling up. Only visible messages and the focused one are in the DOM.
 */
export function PostScroller(props: PostScrollerProps): ReactNode {
  const { channelId, history, sentCount, readUntil, onOpen } = props;
  const { posts, hasOlder } = history;
  const rows = useMemo(
    () => rowsOf(posts, readUntil).slice(hasOlder ? 1 : 0), // the first depends on what is above it
    [posts, readUntil, hasOlder],
  );
  const frame = useRef<HTMLDivElement>(null);
  const nameOf = useNames(posts.map(({ user_id: id }) => id));
  const { isReady, error, load } = useOlder(channelId);
  const [focused, setFocused] = useState('');
  const keyOf = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  const kept = rows.findIndex(({ id }) => id === focused);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    getItemKey: keyOf,
    estimateSize: (index) => heightOf(rows[index]),
    initialOffset: () => rows.length * USUAL_HEIGHT,
    overscan: 5,
    paddingStart: TOP,
    paddingEnd: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    rangeExtractor: (range) => withKept(range, kept),
  });
  const shown = list.getVirtualItems();
  const first = list.range?.startIndex ?? rows.length;
  useEffect(() => {
    if (hasOlder && isReady && first < NEAR_START) load();
  }, [hasOlder, isReady, first, load]);
  const [isAtEnd, scrolled] = useAtEnd();
  useLayoutEffect(() => list.scrollToEnd(), [list, sentCount]);
  useEffect(() => {
    if (!frame.current || !isAtEnd) return undefined;
    const resized = new ResizeObserver(() => list.scrollToEnd());
    // Observe the messages too: their real height may differ from the estimate.
    for (const part of [frame.current, ...frame.current.children]) resized.observe(part);
    return () => resized.disconnect();
  }, [list, isAtEnd]);
  const newest = posts.at(-1)?.create_at ?? 0;
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  const newCount = posts.length - 1 - posts.findLastIndex(({ create_at: at }) => at <= seen);
  /** Whether the list was scrolled to its end by code and not moved by the user since. */
  const isSent = useRef(false);
  const takenOver = (): void => {
    isSent.current = false;
  };
  const goToEnd = (): void => {
    isSent.current = true;
    list.scrollToEnd();
    frame.current?.focus({ preventScroll: true });
  };
  return (
    <>
      {error && (
        <Group gap="xs">
          <FaultNote error={error} />
          <Button variant="default" onClick={load}>
            Try again
          </Button>
        </Group>
      )}
      <div className="scroller">
        <div
          ref={frame}
          role="list"
          aria-label="Messages"
          tabIndex={0}
          onScroll={({ currentTarget }) => scrolled(currentTarget)}
          onScrollEnd={({ currentTarget }) => isSent.current && settle(currentTarget)}
          onWheel={takenOver}
          onKeyDown={takenOver}
          onPointerDown={takenOver}
          onFocus={({ target }) => setFocused(target.closest<HTMLElement>('[data-id]')?.dataset['id'] ?? '')}
        >
          <div style={{ height: list.getTotalSize() }} role="presentation">
            <p className="muted">{describeOlder(hasOlder, error)}</p>
            {shown.map(({ index, start }) => {
              const row = rows[index];
              return row ? (
                <div
                  key={row.id}
                  ref={list.measureElement}
                  role="listitem"
                  data-index={index}
                  data-id={row.id}
                  style={{ top: start }}
                >
                  <RowView row={row} nameOf={nameOf} onOpen={onOpen} />
                </div>
              ) : null;
            })}
          </div>
        </div>
        <div className="to-end" aria-live="polite">
          {!isAtEnd && (
            <Button radius="xl" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={goToEnd}>
              {describeNew(newCount)}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

/** Scrolls a list that is near its end to the end; late measurements move it by a few pixels. */
function settle(frame: HTMLElement): void {
  if (frame.scrollHeight - frame.scrollTop - frame.clientHeight <= NEAR_END)
    frame.scrollTop = frame.scrollHeight;
}

/** Close to the real height, so that little moves when rows above the visible ones are rendered. */
function heightOf(row: Row | undefined): number {
  const lines = row?.posts.length === 1 ? (row.posts[0]?.message.split('\n', MAX_LINES).length ?? 1) : 1;
  const text = (row?.isContinued ? CONTINUED_HEIGHT : USUAL_HEIGHT) + (lines - 1) * LINE_HEIGHT;
  return text + (row?.startsDay ? DAY_HEIGHT : 0);
}

function withKept(range: Range, kept: number): number[] {
  const shown = defaultRangeExtractor(range);
  return kept === -1 || shown.includes(kept) ? shown : [...shown, kept].sort((a, b) => a - b);
}

function describeOlder(hasOlder: boolean, error: Error | null): string {
  if (!hasOlder) return 'This is the start of the channel.';
  return error ? 'Earlier messages could not be loaded.' : 'Loading earlier messages…';
}

function describeNew(count: number): string {
  if (count === 0) return 'Newest messages';
  return count === 1 ? '1 new message' : `${count} new messages`;
}

/** Whether the user is at the end of a list, and the scroll handler to call. */
function useAtEnd(): readonly [isAtEnd: boolean, scrolled: (list: HTMLElement) => void] {
  const [isAtEnd, setAtEnd] = useState(true);
  const top = useRef(0);
  /** The list may grow before it scrolls to its end; only scrolling up leaves the end. */
  const scrolled = useCallback(({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => {
    if (scrollHeight - scrollTop - clientHeight <= NEAR_END) setAtEnd(true);
    else if (scrollTop < top.current) setAtEnd(false);
    top.current = scrollTop;
  }, []);
  return [isAtEnd, scrolled];
}
