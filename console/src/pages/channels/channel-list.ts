import { useDocumentVisibility } from '@mantine/hooks';
import { queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf, api, ApiError, type Schemas } from '../../api/client';
import type { LiveEvent } from '../../api/live';
import { live, queries } from '../../app/services';
import { useUser } from '../../app/session';
import { useOneAtATime } from '../../parts/use-one-at-a-time';

type Channel = Schemas['ChannelDto'];

/** A channel of the user, and what is unread in it. */
export interface OwnChannel extends Channel {
  readonly isUnread: boolean;
  readonly mentions: number;
  /** Until when the user has read it. */
  readonly viewedAt: number;
}

const NO_CHANNELS = 'app.channel.get_channels.not_found.app_error';
const CHANGES = [
  'channel_created',
  'channel_updated',
  'channel_converted',
  'channel_deleted',
  'channel_restored',
];
const MEMBER_CHANGES = ['user_added', 'user_removed', 'direct_added', 'group_added'];

/** The user's channels in all teams, and direct ones, by name. */
export const ownChannels = queryOptions({ queryKey: ['channels', 'own'], queryFn: readOwnChannels });

async function readOwnChannels(): Promise<OwnChannel[]> {
  const path = { user_id: 'me' };
  const [channels, members] = await Promise.all([
    answerOf(api.GET('/api/v4/users/{user_id}/channels', { params: { path } })).catch(noneIfNone),
    answerOf(api.GET('/api/v4/users/{user_id}/channel_members', { params: { path, query: { page: -1 } } })),
  ]);
  const memberships = new Map(members.map((one) => [one.channel_id, one]));
  return channels
    .map((channel) => withUnread(channel, memberships.get(channel.id)))
    .sort((a, b) => a.display_name.localeCompare(b.display_name));
}

function withUnread(channel: Channel, member: Schemas['ChannelMemberDto'] | undefined): OwnChannel {
  const mentions = member?.mention_count ?? 0;
  const isMuted = member?.notify_props['mark_unread'] === 'mention';
  const unread = channel.total_msg_count - (member?.msg_count ?? channel.total_msg_count);
  return {
    ...channel,
    mentions,
    isUnread: mentions > 0 || (unread > 0 && !isMuted),
    viewedAt: member?.last_viewed_at ?? Infinity,
  };
}

/** The server responds with an error status if the user has no channels. */
function noneIfNone(error: unknown): Channel[] {
  if (error instanceof ApiError && error.id === NO_CHANNELS) return [];
  throw error;
}

/** Keeps the list of channels and their unread marks up to date, and marks the open channel as read while it is visible. */
export function useChannelNews(open: OwnChannel | undefined): void {
  const { id: userId } = useUser();
  const read = useOneAtATime(() => queries.invalidateQueries(ownChannels));
  const isVisible = useDocumentVisibility() === 'visible';
  const toView = isVisible && open?.isUnread === true ? open.id : '';
  useEffect(() => {
    if (toView !== '') void view(toView);
  }, [toView]);
  useEffect(() => live.listen((event) => hear(event, userId, () => void read())));
}

function hear({ event, data, broadcast }: LiveEvent, userId: string, read: () => void): void {
  const { user_id: memberId = userId, channel_times: times = {}, mentions } = data;
  if (event === 'posted' && isNews(data, userId)) {
    const isMention = mentions !== undefined;
    markIn(broadcast.channel_id, (one) => ({ isUnread: true, mentions: one.mentions + Number(isMention) }));
  } else if (event === 'multiple_channels_viewed') Object.keys(times as object).forEach(markRead);
  else if (CHANGES.includes(event) || (MEMBER_CHANGES.includes(event) && memberId === userId)) read();
}

/** System messages and what the user wrote do not count as unread; what a webhook of the user posted does. */
function isNews({ post }: LiveEvent['data'], userId: string): boolean {
  const { type, user_id: authorId, props } = JSON.parse(String(post)) as Schemas['PostDto'];
  return !isSystem({ type }) && (authorId !== userId || props['from_webhook'] === 'true');
}

/** Whether the server wrote a message about the channel itself. */
export const isSystem = ({ type }: Pick<Schemas['PostDto'], 'type'>): boolean => type.startsWith('system_');

async function view(channelId: string): Promise<void> {
  const body = { channel_id: channelId, prev_channel_id: '' };
  const params = { path: { user_id: 'me' } };
  await answerOf(api.POST('/api/v4/channels/members/{user_id}/view', { params, body }))
    .then(() => markRead(channelId))
    .catch(() => undefined); // it stays unread
}

const markRead = (channelId: string): void => markIn(channelId, () => ({ isUnread: false, mentions: 0 }));

function markIn(channelId: string, change: (one: OwnChannel) => Partial<OwnChannel>): void {
  queries.setQueryData(ownChannels.queryKey, (list) =>
    list?.map((one) => (one.id === channelId ? { ...one, ...change(one) } : one)),
  );
}
