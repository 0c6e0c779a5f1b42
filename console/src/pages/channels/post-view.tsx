import { ActionIcon, Anchor, Box, Button, Divider, Text, Tooltip } from '@mantine/core';
import { IconMessageReply } from '@tabler/icons-react';
import { memo, type ReactNode, useState } from 'react';
import { ChannelLink } from '../../parts/channel-link';
import { type TimePreference, useClock, useTimePreference } from '../../parts/clock';
import { PostAuthor, PostAvatar, shownNameOf } from '../../parts/post-author';
import { PostContent } from '../../parts/post-content';
import { Time } from '../../parts/time';
import { isSystem } from './channel-list';
import type { Post } from './channel-queries';
import type { Row } from './post-rows';

const DAY_MS = 86_400_000;
/** Fewer system messages in a row are not folded. */
const MIN_FOLDED = 3;

interface RowViewProps {
  readonly row: Row;
  readonly nameOf: (userId: string) => string;
  readonly onOpen: ((postId: string) => void) | undefined;
}

/** A row of messages below the day it starts. */
export function RowView({ row, nameOf, onOpen }: RowViewProps): ReactNode {
  const [post] = row.posts;
  if (!post) return null;
  return (
    <>
      {(row.startsDay || row.isFirstNew) && (
        <Divider
          {...{ px: 'md', pt: 10, pb: 6 }}
          color={row.isFirstNew ? 'red' : undefined}
          label={
            <>
              {row.startsDay && <Day at={post.create_at} />}
              {row.isFirstNew && `${row.startsDay ? ' · ' : ''}New messages`}
            </>
          }
        />
      )}
      {isSystem(post) ? (
        <SystemPosts posts={row.posts} />
      ) : (
        <PostView post={post} author={nameOf(post.user_id)} isContinued={row.isContinued} onOpen={onOpen} />
      )}
    </>
  );
}

function Day({ at }: { readonly at: number }): ReactNode {
  return useClock((now, preferred) => {
    const [day, today, before] = [at, now, now - DAY_MS].map((time) =>
      new Date(time).toLocaleDateString(undefined, { dateStyle: 'full', ...zoneOf(preferred) }),
    );
    if (day === today) return 'Today';
    return day === before ? 'Yesterday' : `${day}`;
  });
}

const zoneOf = (preferred: TimePreference) => (preferred === 'utc' ? { timeZone: 'UTC' } : {});

/** Small lines; many are folded into their counts. */
function SystemPosts({ posts }: { readonly posts: readonly Post[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const isFolded = posts.length >= MIN_FOLDED && !isOpen;
  return (
    <Box {...{ pl: 60, pr: 'md', py: 3, fz: 'xs', c: 'dimmed' }}>
      {isFolded ? (
        <>
          {summaryOf(posts)}
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setOpen(true)}>
            Show
          </Button>
        </>
      ) : (
        posts.map((post) => (
          <div key={post.id}>
            {post.message} <TimeOfDay at={post.create_at} />
          </div>
        ))
      )}
    </Box>
  );
}

function summaryOf(posts: readonly Post[]): string {
  const count = (kind: RegExp): number => posts.filter(({ type }) => kind.test(type)).length;
  const [joined, left] = [count(/^system_(join|add)/), count(/^system_(leave|remove)/)];
  const others = posts.length - joined - left;
  const parts = [
    joined > 0 && `${joined} joined`,
    left > 0 && `${left} left`,
    others > 0 && `${others} other`,
  ];
  return parts.filter(Boolean).join(', ');
}

interface PostViewProps {
  readonly post: Post;
  readonly author: string;
  readonly isContinued?: boolean;
  readonly onOpen?: ((postId: string) => void) | undefined;
  /** Set to show the channel and the date: the message stands alone. */
  readonly teamId?: string;
}

/** A message with its author, and links to its thread. */
export const PostView = memo(function PostView(props: PostViewProps): ReactNode {
  const { post, author, isContinued = false, onOpen, teamId } = props;
  const isReply = post.root_id !== '';
  const open = (): void => onOpen?.(post.root_id || post.id);
  return (
    <article
      className="message"
      data-continued={isContinued || undefined}
      aria-label={`Message from ${shownNameOf(author, post.props) || 'somebody'}`}
    >
      {isContinued ? <TimeOfDay at={post.create_at} /> : <PostAvatar name={author} props={post.props} />}
      {onOpen && (
        <Tooltip label={isReply ? 'Open the thread' : 'Reply'}>
          <ActionIcon
            className="message-action"
            variant="default"
            aria-label={isReply ? 'Thread' : 'Reply'}
            onClick={open}
          >
            <IconMessageReply size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      <div className="message-body">
        {!isContinued && (
          <header>
            <PostAuthor name={author} props={post.props} />
            <Text component="span" size="xs" c="dimmed">
              {teamId === undefined ? (
                <>
                  <TimeOfDay at={post.create_at} />
                  {onOpen && isReply && (
                    <Anchor component="button" type="button" fz="xs" ml={8} onClick={open}>
                      in a thread
                    </Anchor>
                  )}
                </>
              ) : (
                <>
                  <Time at={post.create_at} isInText /> in{' '}
                  <ChannelLink teamId={teamId} channelId={post.channel_id} />
                </>
              )}
            </Text>
          </header>
        )}
        <PostContent message={post.message} props={post.props} />
        {post.edit_at > 0 && <small className="muted">(edited)</small>}
        {onOpen && post.reply_count > 0 && !isReply && (
          <Button
            variant="subtle"
            size="compact-xs"
            ml={-6}
            leftSection={<IconMessageReply size={13} aria-hidden />}
            onClick={open}
          >
            {repliesOf(post)}
          </Button>
        )}
      </div>
    </article>
  );
});

export const repliesOf = ({ reply_count: count }: Pick<Post, 'reply_count'>): string =>
  count === 1 ? '1 reply' : `${count} replies`;

function TimeOfDay({ at }: { readonly at: number }): ReactNode {
  const zone = zoneOf(useTimePreference());
  const date = new Date(at);
  return (
    <time className="time-of-day" dateTime={date.toISOString()} title={date.toLocaleString(undefined, zone)}>
      {date.toLocaleTimeString(undefined, { timeStyle: 'short', hourCycle: 'h23', ...zone })}
    </time>
  );
}
