import { ActionIcon, Drawer, Group, Text, TextInput, Title, VisuallyHidden } from '@mantine/core';
import { IconMessageCircle, IconSearch, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { usePageTitle } from '../../app/page-title';
import { channelsRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { myTeams, useTeam } from '../../parts/team-picker';
import { channelHistory } from './channel-history';
import { type OwnChannel, ownChannels, useChannelNews } from './channel-list';
import { ChannelIcon, ChannelNav, useDirect } from './channel-nav';
import { foundPosts, thread } from './channel-queries';
import { PostScroller } from './post-scroller';
import { Found, Thread } from './side-panel';
import { usePostNews } from './use-post-news';
import { WriteMessage } from './write-message';

const DEFAULT = 'town-square';

/** Messages of the user's channels, updated live. */
export function ChannelsPage(): ReactNode {
  const teams = useQuery(myTeams);
  const channels = useQuery({ ...ownChannels, enabled: (teams.data ?? []).length > 0 });
  return (
    <>
      <VisuallyHidden>
        <Title order={1}>Channels</Title>
      </VisuallyHidden>
      <Loaded query={channels}>{(list) => <Chat channels={list} teams={teams.data ?? []} />}</Loaded>
    </>
  );
}

interface Shown {
  readonly team?: string;
  readonly channel?: string;
  readonly thread?: string;
  readonly terms?: string;
}

interface ChatProps {
  readonly channels: readonly OwnChannel[];
  readonly teams: readonly { readonly id: string; readonly display_name: string }[];
}

/** A channel between the list of channels and a thread or search results. */
function Chat({ channels, teams }: ChatProps): ReactNode {
  const [teamId, choose] = useTeam();
  const { team, channel, thread: threadId, terms = '' } = channelsRoute.useSearch();
  const navigate = useNavigate();
  const [isListOpen, setListOpen] = useState(false);
  const channelId = useChannelId(channels, team ?? teamId);
  const directs = useDirect(channels);
  const open = [...directs, ...channels].find(({ id }) => id === channelId);
  const title = open?.display_name ?? 'Channel';
  useChannelNews(open);
  usePageTitle(channel === undefined ? 'Channels' : title);
  useEffect(() => {
    if (team !== undefined) choose(team);
  }, [team, choose]);
  const place = JSON.stringify({ team: team ?? (open?.team_id || teamId), channel: channelId || undefined });
  const show = useCallback(
    (shown: Shown) =>
      void navigate({ to: '/channels', search: { ...(JSON.parse(place) as Shown), ...shown } }),
    [navigate, place],
  );
  const found = terms === '' ? {} : { terms }; // keep the search below a thread
  const openThread = useCallback(
    (id: string) => show({ thread: id, ...(terms && { terms }) }),
    [show, terms],
  );
  const search = (wanted: string): void => {
    if (wanted === terms) void queries.invalidateQueries(foundPosts(teamId, terms));
    else show(wanted === '' ? {} : { terms: wanted });
  };
  const close = (): void => show(threadId === undefined ? {} : found);
  const nav = <ChannelNav {...{ channels, directs, teams, channelId }} teamId={team ?? teamId} />;
  return (
    <>
      <div
        className="channels"
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Escape' && (threadId ?? terms) !== '' && !nativeEvent.isComposing) close();
        }}
      >
        {nav}
        <section className="chat" aria-label={title}>
          <Group className="chat-bar" gap="xs" wrap="nowrap">
            <ChannelIcon type={open?.type} />
            <Title order={2} lineClamp={1}>
              {title}
            </Title>
            <ActionIcon hiddenFrom="sm" aria-label="Show the channels" onClick={() => setListOpen(true)}>
              <IconSelector size={18} />
            </ActionIcon>
            <Text size="xs" c="dimmed" truncate flex={1} visibleFrom="sm">
              {open?.header || open?.purpose}
            </Text>
            <Search key={terms} terms={terms} onSearch={search} />
          </Group>
          {channelId === '' && threadId === undefined && (
            <Empty icon={IconMessageCircle} text="You are in no channel of this team yet." />
          )}
          {channelId !== '' && (
            <Posts key={channelId} {...{ channelId, title }} viewedAt={open?.viewedAt} onOpen={openThread} />
          )}
        </section>
        {terms !== '' && (
          <Found
            {...{ teamId, terms }}
            isHidden={threadId !== undefined}
            onOpen={openThread}
            onClose={close}
          />
        )}
        {threadId !== undefined && (
          <Thread key={threadId} postId={threadId} teamId={teamId} onClose={close} />
        )}
      </div>
      <Drawer
        title="Channels"
        position="left"
        size={300}
        opened={isListOpen}
        onClose={() => setListOpen(false)}
        closeButtonProps={{ 'aria-label': 'Close' }}
        onClick={({ target }) => (target as Element).closest('a') && setListOpen(false)}
      >
        {nav}
      </Drawer>
    </>
  );
}

/** The channel of the address or of the thread there, or else the first one of the team. */
function useChannelId(channels: readonly OwnChannel[], teamId: string): string {
  const { channel, thread: threadId } = channelsRoute.useSearch();
  const isByThread = channel === undefined && threadId !== undefined;
  const { data, isPending } = useQuery({ ...thread(threadId ?? ''), enabled: isByThread });
  if (channel !== undefined) return channel;
  const [post] = Object.values((data?.posts ?? {}) as Record<string, { channel_id: string }>);
  if (isByThread && (isPending || post)) return post?.channel_id ?? '';
  const ofTeam = channels.filter(({ team_id: of }) => of === teamId);
  return (ofTeam.find(({ name }) => name === DEFAULT) ?? ofTeam[0])?.id ?? '';
}

interface SearchProps {
  readonly terms: string;
  readonly onSearch: (terms: string) => void;
}

function Search({ terms, onSearch }: SearchProps): ReactNode {
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = new FormData(event.currentTarget).get('terms');
        onSearch(typeof wanted === 'string' ? wanted : '');
      }}
    >
      <TextInput
        type="search"
        size="xs"
        name="terms"
        leftSection={<IconSearch size={14} aria-hidden />}
        aria-label="Search messages"
        placeholder="Search messages"
        defaultValue={terms}
      />
    </form>
  );
}

interface PostsProps {
  readonly channelId: string;
  readonly title: string;
  readonly viewedAt: number | undefined;
  readonly onOpen: (postId: string) => void;
}

/** The messages of a channel, with a form to write one. */
function Posts({ channelId, title, viewedAt, onOpen }: PostsProps): ReactNode {
  const query = channelHistory(channelId);
  const history = useQuery(query);
  const [sentCount, setSentCount] = useState(0);
  const [readUntil] = useState(viewedAt ?? Infinity); // as it was when the channel was opened
  usePostNews(query.queryKey, ({ broadcast }) => broadcast.channel_id === channelId);
  return (
    <>
      <div className="chat-content">
        <Loaded query={history}>
          {(known) =>
            known.posts.length === 0 ? (
              <Empty
                icon={IconMessageCircle}
                title="No messages yet."
                text="Messages of people and webhooks appear here as they arrive."
              />
            ) : (
              <PostScroller history={known} {...{ channelId, sentCount, readUntil, onOpen }} />
            )
          }
        </Loaded>
      </div>
      <WriteMessage
        channelId={channelId}
        placeholder={`Message ${title}`}
        onSent={() => setSentCount((count) => count + 1)}
      />
    </>
  );
}
