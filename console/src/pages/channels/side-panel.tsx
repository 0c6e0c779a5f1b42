import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { ChannelLink } from '../../parts/channel-link';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { foundPosts, inOrder, isOf, MAX_FOUND, thread } from './channel-queries';
import { repliesOf } from './post-view';
import { Posts } from './posts';
import { usePostNews } from './use-post-news';
import { WriteMessage } from './write-message';

interface PanelProps {
  readonly title: string;
  readonly note?: ReactNode;
  /** Takes the focus, to be closed by Escape. */
  readonly isDialog?: boolean;
  readonly isHidden?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The panel next to the messages of a channel. */
function Panel({ title, note, isDialog = false, isHidden, onClose, children }: PanelProps): ReactNode {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isDialog) return undefined;
    const former = document.activeElement;
    frame.current?.focus({ preventScroll: true });
    return () => void setTimeout(() => returnTo(former)); // after it is visible again
  }, [isDialog]);
  return (
    <section
      ref={frame}
      className="chat-panel"
      role={isDialog ? 'dialog' : 'region'}
      aria-label={title}
      tabIndex={-1}
      hidden={isHidden}
    >
      <Group className="chat-bar" gap="xs" wrap="nowrap">
        <Title order={2} lineClamp={1}>
          {title}
        </Title>
        <Text size="xs" c="dimmed" truncate>
          {note}
        </Text>
        <ActionIcon ml="auto" aria-label={`Close ${title.toLowerCase()}`} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      {children}
    </section>
  );
}

function returnTo(former: Element | null): void {
  if (former instanceof HTMLElement && document.activeElement === document.body)
    former.focus({ preventScroll: true });
}

interface ThreadProps {
  readonly postId: string;
  readonly teamId: string;
  readonly onClose: () => void;
}

/** A message with its replies and a reply form. */
export function Thread({ postId, teamId, onClose }: ThreadProps): ReactNode {
  const query = thread(postId);
  const posts = useQuery(query);
  const end = useRef<HTMLDivElement>(null);
  usePostNews(query.queryKey, ({ broadcast }) => !posts.data || isOf(posts.data, broadcast));
  const root = posts.data && inOrder(posts.data)[0];
  return (
    <Panel
      title="Thread"
      note={
        root && (
          <>
            {repliesOf(root)} in <ChannelLink teamId={teamId} channelId={root.channel_id} />
          </>
        )
      }
      isDialog
      onClose={onClose}
    >
      <div className="chat-scroll" tabIndex={0} role="group" aria-label="Messages of the thread">
        <Loaded query={posts}>
          {(list) => <Posts label="Thread" posts={inOrder(list).sort((a, b) => a.create_at - b.create_at)} />}
        </Loaded>
        <div ref={end} />
      </div>
      {root && (
        <WriteMessage
          channelId={root.channel_id}
          rootId={root.root_id || root.id}
          placeholder="Reply…"
          onSent={() => end.current?.scrollIntoView()}
        />
      )}
    </Panel>
  );
}

interface FoundProps {
  readonly teamId: string;
  readonly terms: string;
  /** Whether a thread is shown in its place. */
  readonly isHidden: boolean;
  readonly onOpen: (postId: string) => void;
  readonly onClose: () => void;
}

/** Search results, newest first; searching again includes newer messages. */
export function Found({ teamId, terms, isHidden, onOpen, onClose }: FoundProps): ReactNode {
  const query = foundPosts(teamId, terms);
  const posts = useQuery(query);
  const found = posts.data ? inOrder(posts.data).toReversed() : [];
  usePostNews(
    query.queryKey,
    ({ event, broadcast }) => event !== 'posted' && posts.data !== undefined && isOf(posts.data, broadcast),
  );
  return (
    <Panel
      title="Search results"
      note={posts.data && `${found.length} for “${terms}”`}
      {...{ isHidden, onClose }}
    >
      <div className="chat-scroll" tabIndex={0} role="group" aria-label="Found messages">
        <Loaded query={posts}>
          {(list) => (
            <>
              {found.length === 0 && (
                <Empty icon={IconSearch} title="No messages found." text="Try fewer or other words." />
              )}
              {(list.has_next === true || found.length >= MAX_FOUND) && (
                <Text size="xs" c="dimmed" px="md" py="xs">
                  These are the newest {found.length}; there may be more. Add words to narrow the search.
                </Text>
              )}
              {found.length > 0 && (
                <Posts label="Search results" posts={found} onOpen={onOpen} teamId={teamId} />
              )}
            </>
          )}
        </Loaded>
      </div>
    </Panel>
  );
}
