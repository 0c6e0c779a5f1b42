import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect } from 'react';
import { channelsRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { ChannelSelect, myChannels, TeamPicker, useTeam } from '../../parts/team-picker';
import { ChannelPosts } from './channel-posts';
import { foundPosts } from './channel-queries';
import { Found, Search } from './search';
import { Thread } from './thread';

interface Shown {
  readonly team?: string;
  readonly channel?: string;
  readonly thread?: string;
  readonly terms?: string;
}

/** Messages of a channel, updated live. */
export function ChannelsPage(): ReactNode {
  const [teamId, choose] = useTeam();
  const { team, channel, thread: threadId, terms = '' } = channelsRoute.useSearch();
  const navigate = useNavigate();
  const channels = useQuery(myChannels(teamId));
  const channelId = channel ?? channels.data?.find(({ name }) => name === 'town-square')?.id ?? '';
  /** Kept in the URL: readers may have another team selected. Unknown if the user has not joined. */
  const isOfTeam = channel === undefined || channels.data?.some(({ id }) => id === channel) === true;
  const shownTeam = team ?? (isOfTeam && teamId !== '' ? teamId : undefined);
  const show = useCallback(
    (shown: Shown): void =>
      void navigate({
        to: '/channels',
        search: { ...(shownTeam ? { team: shownTeam } : {}), ...(channel ? { channel } : {}), ...shown },
      }),
    [navigate, shownTeam, channel],
  );
  const openThread = useCallback((id: string) => show({ thread: id }), [show]);
  const found = terms === '' ? {} : { terms }; // keep the search below a thread
  const search = (wanted: string): void => {
    if (wanted === terms) void queries.invalidateQueries({ queryKey: foundPosts(teamId, terms).queryKey });
    else show({ terms: wanted });
  };
  useEffect(() => {
    if (team !== undefined) choose(team);
  }, [team, choose]);
  return (
    <div className={terms === '' ? 'channels' : undefined}>
      <PageHead title="Channels">
        <TeamPicker
          teamId={teamId}
          onChoose={(id) => {
            choose(id);
            void navigate({ to: '/channels', search: { team: id } });
          }}
        />
        <Search key={terms} terms={terms} onSearch={search} />
      </PageHead>
      {terms === '' ? (
        <>
          <Loaded query={channels}>
            {() => (
              <Field label="Channel">
                <ChannelSelect
                  teamId={teamId}
                  value={channelId}
                  onChange={(id) => show({ team: teamId, channel: id })}
                />
              </Field>
            )}
          </Loaded>
          {channelId !== '' && <ChannelPosts key={channelId} channelId={channelId} onOpen={openThread} />}
        </>
      ) : (
        <Found teamId={teamId} terms={terms} onOpen={(id) => show({ thread: id, ...found })} />
      )}
      <Modal title="Thread" isOpen={threadId !== undefined} onClose={() => show(found)} isWide>
        {threadId !== undefined && <Thread key={threadId} postId={threadId} />}
      </Modal>
    </div>
  );
}
