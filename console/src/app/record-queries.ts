import { queryOptions } from '@tanstack/react-query';
import type { NavigateOptions } from '@tanstack/react-router';
import { answerOf, api, ApiError } from '../api/client';
import { connections } from '../pages/connections/connection-queries';
import { readIncomingHooks } from '../pages/incoming/incoming-queries';
import { readOutgoingHooks } from '../pages/outgoing/outgoing-queries';
import { roleOf } from '../pages/people/people-queries';
import { myTeams } from '../parts/team-picker';
import { queries } from './services';

/** A navigation target. */
export interface Place {
  readonly key: string;
  readonly title: string;
  /** Distinguishes it from others with the same title. */
  readonly note: string;
  readonly target: NavigateOptions;
}

/** Maximum results shown per kind. */
const MAX_FOUND = 5;
/** Lists searched in the browser are not refetched with each keystroke. */
const LIST_IS_FRESH_MS = 10_000;

/** Webhooks, filtered in the browser: of all teams for administrators, else of the user's teams. */
export const incomingPlaces = (isAdmin: boolean, text: string) =>
  queryOptions({
    queryKey: ['incoming', 'everywhere'],
    queryFn: () => readEverywhere(isAdmin, readIncomingHooks),
    staleTime: LIST_IS_FRESH_MS,
    select: (hooks) =>
      named(hooks, text).map(({ id: hookId, display_name: title, description: note }): Place => {
        return { key: hookId, title, note, target: { to: '/incoming/$hookId', params: { hookId } } };
      }),
  });

export const outgoingPlaces = (isAdmin: boolean, text: string) =>
  queryOptions({
    queryKey: ['outgoing', 'everywhere'],
    queryFn: () => readEverywhere(isAdmin, readOutgoingHooks),
    staleTime: LIST_IS_FRESH_MS,
    select: (hooks) =>
      named(hooks, text).map(({ id: hookId, display_name: title, description: note }): Place => {
        return { key: hookId, title, note, target: { to: '/outgoing/$hookId', params: { hookId } } };
      }),
  });

/** Channels of all teams for administrators, else of the user's teams. */
export const channelPlaces = (isAdmin: boolean, text: string) =>
  queryOptions({
    queryKey: ['channels', 'search', text],
    queryFn: async () => {
      const query = isAdmin ? {} : { system_console: false };
      const body = { term: text, page: 0, per_page: MAX_FOUND };
      const found = await answerOf(api.POST('/api/v4/channels/search', { params: { query }, body }));
      return Array.isArray(found) ? found : found.channels;
    },
    select: (channels) =>
      channels.map(({ id, team_id: team, display_name: title, team_display_name: note }): Place => {
        return { key: id, title, note, target: { to: '/channels', search: { team, channel: id } } };
      }),
  });

export const connectionPlaces = (text: string) =>
  queryOptions({
    ...connections,
    refetchInterval: false,
    select: (peers) =>
      named(peers, text).map(({ remote_id: remoteId, display_name: title, site_url: note }): Place => {
        return { key: remoteId, title, note, target: { to: '/connections/$remoteId', params: { remoteId } } };
      }),
  });

export const personPlaces = (term: string) =>
  queryOptions({
    queryKey: ['people', 'found', term],
    queryFn: () =>
      answerOf(api.POST('/api/v4/users/search', { body: { term, allow_inactive: true, limit: MAX_FOUND } })),
    select: (users) =>
      users.map((user): Place => {
        const { id: userId, username: title } = user;
        return {
          key: userId,
          title,
          note: roleOf(user),
          target: { to: '/people/$userId', params: { userId } },
        };
      }),
  });

/** Whether a text could be a delivery id. */
export const isId = (text: string): boolean => /^[a-z0-9]{26}$/.test(text);

export const deliveryPlaces = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'found', id],
    queryFn: () =>
      answerOf(api.GET('/api/v4/hooks/outgoing/deliveries', { params: { query: { delivery_id: id } } })),
    select: ({ deliveries }) =>
      deliveries.map(({ hook_id: of, hook_display_name: title, callback_url: note }): Place => {
        return { key: id, title, note, target: { to: '/deliveries', search: { delivery: id, of } } };
      }),
  });

/** Records whose names contain the text, shortest name first as the closest match. */
function named<T extends { readonly display_name: string }>(records: readonly T[], text: string): T[] {
  return records
    .filter(({ display_name: name }) => name.toLowerCase().includes(text))
    .sort((a, b) => a.display_name.length - b.display_name.length)
    .slice(0, MAX_FOUND);
}

async function readEverywhere<T>(
  isAdmin: boolean,
  read: (of: { readonly team_id?: string }) => Promise<T[]>,
): Promise<T[]> {
  if (isAdmin) return read({});
  const found: T[] = [];
  for (const { id } of await queries.fetchQuery({ ...myTeams, staleTime: LIST_IS_FRESH_MS }))
    found.push(...(await read({ team_id: id }).catch(noneIfRefused)));
  return found;
}

/** Returns an empty list on 403, so that webhooks of other teams are still found. */
function noneIfRefused(error: unknown): [] {
  if (error instanceof ApiError && error.status === 403) return [];
  throw error;
}
