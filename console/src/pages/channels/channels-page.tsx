import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { channelsRoute } from '../../app/router';
import { live, queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { ChannelSelect, myChannels, TeamPicker, useTeam } from '../../parts/team-picker';
import { channelPosts, foundPosts, inOrder, thread } from './channel-queries';
import { Posts } from './posts';
import { WriteMessage } from './write-message';

/** The messages of a channel, as they come: where the effect of everything else is seen. */
export function ChannelsPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { channel, thread: threadId, terms = '' } = channelsRoute.useSearch();
  const navigate = useNavigate();
  const { data: channels = [] } = useQuery(myChannels(teamId));
  const chosen =
    channels.find(({ id }) => id === channel) ?? channels.find(({ name }) => name === 'town-square');
  const channelId = chosen?.id ?? '';
  const show = (search: { channel?: string; thread?: string; terms?: string }): void =>
    void navigate({ to: '/channels', search: { ...(channel ? { channel } : {}), ...search } });
  useEffect(() => listenForPosts(), []);
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
        <Search key={terms} terms={terms} onSearch={(wanted) => show({ terms: wanted })} />
      </PageHead>
      {terms === '' ? (
        <>
          <Field label="Channel">
            <ChannelSelect teamId={teamId} value={channelId} onChoose={(id) => show({ channel: id })} />
          </Field>
          <ChannelPosts channelId={channelId} onOpen={(id) => show({ thread: id })} />
          {channelId !== '' && <WriteMessage key={channelId} channelId={channelId} />}
        </>
      ) : (
        <Found teamId={teamId} terms={terms} onOpen={(id) => show({ thread: id })} />
      )}
      <Modal title="Thread" isOpen={threadId !== undefined} onClose={() => show({})} isWide>
        {threadId !== undefined && <Thread postId={threadId} />}
      </Modal>
    </>
  );
}

function listenForPosts(): () => void {
  return live.listen(({ event }) => {
    if (event === 'posted' || event === 'post_edited' || event === 'post_deleted')
      void queries.invalidateQueries({ queryKey: ['posts'] });
  });
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
  const posts = useQuery(channelPosts(channelId));
  if (channelId === '') return null;
  return <Loaded query={posts}>{(list) => <Posts posts={inOrder(list)} onOpen={onOpen} />}</Loaded>;
}

interface FoundProps {
  readonly teamId: string;
  readonly terms: string;
  readonly onOpen: (postId: string) => void;
}

function Found({ teamId, terms, onOpen }: FoundProps): ReactNode {
  const posts = useQuery(foundPosts(teamId, terms));
  return <Loaded query={posts}>{(list) => <Posts posts={inOrder(list)} onOpen={onOpen} />}</Loaded>;
}

function Thread({ postId }: { readonly postId: string }): ReactNode {
  const posts = useQuery(thread(postId));
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
