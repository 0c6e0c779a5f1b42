import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { queries } from '../../app/services';
import type { PickerOption } from '../../parts/picker';

/** What has members. */
export interface Group {
  readonly kind: 'team' | 'channel';
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** Whether all members of the team are in it, always. */
  readonly isDefault?: boolean;
}

/** An account with its role in the group. */
export interface Member {
  readonly user: Schemas['UserDto'];
  /** Undefined if the account has just left. */
  readonly membership: Schemas['TeamMemberDto'] | undefined;
}

const TEAM = '/api/v4/teams/{team_id}/members';
const CHANNEL = '/api/v4/channels/{channel_id}/members';
/** The routes of both kinds differ only in their beginning. */
const membersAt = (kind: Group['kind']) => (kind === 'team' ? TEAM : (CHANNEL as typeof TEAM));
const at = (id: string, userId = '') => ({
  params: { path: { team_id: id, channel_id: id, user_id: userId } },
});

const PAGE = 60;
/** The search also returns accounts of other servers, which cannot join. */
const MAX_FOUND = 100;
const MAX_STRANGERS = 10;

/** Members of a group, sorted by name; with a text, the first 100 whose name begins with it. */
export const membersOf = ({ kind, id }: Group, term: string) =>
  infiniteQueryOptions({
    queryKey: ['teams', kind, id, 'members', term],
    queryFn: async ({ pageParam: page }): Promise<readonly Member[]> => {
      const isTeam = kind === 'team';
      const query = { ...(isTeam ? { in_team: id } : { in_channel: id }), page, per_page: PAGE };
      const scope = isTeam ? { team_id: id } : { in_channel_id: id };
      const search = { term, ...scope, allow_inactive: true, limit: MAX_FOUND };
      const users = await answerOf(
        term === ''
          ? api.GET('/api/v4/users', { params: { query } })
          : api.POST('/api/v4/users/search', { body: search }),
      );
      if (users.length === 0) return [];
      const body = users.map((user) => user.id);
      const memberships = await answerOf(api.POST(`${membersAt(kind)}/ids`, { ...at(id), body }));
      const byUser = new Map(memberships.map((one) => [one.user_id, one]));
      return users.map((user) => ({ user, membership: byUser.get(user.id) }));
    },
    initialPageParam: 0,
    getNextPageParam: (last, _all, page) => (term !== '' || last.length < PAGE ? undefined : page + 1),
    ...following(),
  });

/** The first accounts that may join a group and whose names begin with the text, if any. */
export async function strangersTo({ kind, id, teamId }: Group, term: string): Promise<PickerOption[]> {
  const isTeam = kind === 'team';
  const query = { ...(isTeam ? { not_in_team: id } : { in_team: teamId, not_in_channel: id }), active: true };
  const scope = isTeam ? { not_in_team_id: id } : { team_id: teamId, not_in_channel_id: id };
  const found = await answerOf(
    term === ''
      ? api.GET('/api/v4/users', { params: { query: { ...query, per_page: MAX_FOUND } } })
      : api.POST('/api/v4/users/search', { body: { term, ...scope, limit: MAX_FOUND } }),
  );
  return found
    .filter(({ remote_id: remoteId }) => !remoteId)
    .slice(0, MAX_STRANGERS)
    .map((user) => ({ value: user.id, label: user.username }));
}

export async function addMember({ kind, id }: Group, userId: string): Promise<void> {
  const body = { team_id: id, user_id: userId };
  await answerOf(api.POST(membersAt(kind), { ...at(id), body }));
  await reload();
}

export async function removeMember({ kind, id }: Group, userId: string): Promise<void> {
  await answerOf(api.DELETE(`${membersAt(kind)}/{user_id}`, at(id, userId)));
  await reload();
}

export async function setAdmin({ kind, id }: Group, userId: string, isAdmin: boolean): Promise<void> {
  const body = { scheme_user: true, scheme_admin: isAdmin };
  await answerOf(api.PUT(`${membersAt(kind)}/{user_id}/schemeRoles`, { ...at(id, userId), body }));
  await reload();
}

const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['teams'] });
