import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { channelsRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { ChannelSelect, myChannels, TeamPicker, useTeam } from '../../parts/team-picker';
import { channelPosts, foundPosts, inOrder, type PostList, thread } from './channel-queries';
import { Posts } from './posts';
import { usePostNews } from './use-post-news';
import { WriteMessage } from './write-message';

/** The messages of a channel, as they come: where the effect of everything else is seen. */
export function ChannelsPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { team, channel, thread: threadId, terms = '' } = channelsRoute.useSearch();
  const navigate = useNavigate();
  const channels = useQuery(myChannels(teamId));
  const channelId = channel ?? channels.data?.find(({ name }) => name === 'town-square')?.id ?? '';
  const show = (search: { channel?: string; thread?: string; terms?: string }): void =>
    void navigate({
      to: '/channels',
      search: { ...(team ? { team } : {}), ...(channel ? { channel } : {}), ...search },
    });
  const found = terms === '' ? {} : { terms }; // stays below a thread
  const search = (wanted: string): void => {
    if (wanted === terms) void queries.invalidateQueries({ queryKey: foundPosts(teamId, terms).queryKey });
    else show({ terms: wanted });
  };
  useEffect(() => {
    if (team !== undefined) choose(team);
  }, [team, choose]);
  return (
    <>
      <PageHead title="Channels">
        <TeamPicker
          teamId={teamId}
          onChoose={(id) => {
            choose(id);
            void navigate({ to: '/channels', search: {} });
          }}
        />
        <Search key={terms} terms={terms} onSearch={search} />
      </PageHead>
      {terms === '' ? (
        <>
          <Loaded query={channels}>
            {() => (
              <Field label="Channel">
                <ChannelSelect teamId={teamId} value={channelId} onChoose={(id) => show({ channel: id })} />
              </Field>
            )}
          </Loaded>
          {channelId !== '' && (
            <>
              <ChannelPosts channelId={channelId} onOpen={(id) => show({ thread: id })} />
              <WriteMessage key={channelId} channelId={channelId} />
            </>
          )}
        </>
      ) : (
        <Found teamId={teamId} terms={terms} onOpen={(id) => show({ thread: id, ...found })} />
      )}
      <Modal title="Thread" isOpen={threadId !== undefined} onClose={() => show(found)} isWide>
        {threadId !== undefined && <Thread key={threadId} postId={threadId} />}
      </Modal>
    </>
  );
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
      <input
        type="search"
        name="terms"
        aria-label="Search messages"
        placeholder="Search"
        defaultValue={terms}
      />
    </form>
  );
}

interface ChannelPostsProps {
  readonly channelId: string;
  readonly onOpen: (postId: string) => void;
}

function ChannelPosts({ channelId, onOpen }: ChannelPostsProps): ReactNode {
  const query = channelPosts(channelId);
  const posts = useQuery(query);
  usePostNews(query.queryKey, ({ broadcast }) => broadcast.channel_id === channelId);
  return <Loaded query={posts}>{(list) => <Posts posts={inOrder(list)} onOpen={onOpen} />}</Loaded>;
}

interface FoundProps {
  readonly teamId: string;
  readonly terms: string;
  readonly onOpen: (postId: string) => void;
}

/** What was found; who searches again finds what has come since. */
function Found({ teamId, terms, onOpen }: FoundProps): ReactNode {
  const query = foundPosts(teamId, terms);
  const posts = useQuery(query);
  usePostNews(
    query.queryKey,
    ({ event, broadcast }) => event !== 'posted' && posts.data !== undefined && isOf(posts.data, broadcast),
  );
  return (
    <Loaded query={posts}>
      {(list) => <Posts posts={inOrder(list)} onOpen={onOpen} none="No message has these words." />}
    </Loaded>
  );
}

/** Whether a channel is one of those whose messages are listed. */
const isOf = (list: PostList, { channel_id: id }: { readonly channel_id: string }): boolean =>
  inOrder(list).some(({ channel_id: listed }) => listed === id);

function Thread({ postId }: { readonly postId: string }): ReactNode {
  const query = thread(postId);
  const posts = useQuery(query);
  usePostNews(query.queryKey, ({ broadcast }) => !posts.data || isOf(posts.data, broadcast));
  return (
    <Loaded query={posts}>
      {(list) => {
        const all = inOrder(list);
        return (
          <>
            <Posts posts={all.toSorted((a, b) => a.create_at - b.create_at)} />
            {all[0] && <WriteMessage channelId={all[0].channel_id} rootId={all[0].root_id || all[0].id} />}
          </>
        );
      }}
    </Loaded>
  );
}
