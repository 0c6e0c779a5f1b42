import { DataSource, type EntityTarget, In, type ObjectLiteral } from 'typeorm';
import { DeliveryRecovery } from '../src/delivery/dispatch/delivery.entity.js';
import { IncomingHooksService } from '../src/incoming-hooks/incoming-hooks.service.js';
import { IncomingHook } from '../src/incoming-hooks/incoming-hook.entity.js';
import { Session } from '../src/messaging/auth/session.entity.js';
import { UserAccessToken } from '../src/messaging/auth/user-access-token.entity.js';
import { Role } from '../src/messaging/permissions/role.entity.js';
import { Post } from '../src/messaging/posts/post.entity.js';
import { TeamMember } from '../src/messaging/teams/team-member.entity.js';
import { User } from '../src/messaging/users/user.entity.js';
import { OutgoingHook } from '../src/outgoing-hooks/outgoing-hook.entity.js';
import { Audit } from '../src/platform/audit/audit.entity.js';
import { newId } from '../src/platform/common/ids.js';
import { SharedChannel, SharedChannelRemote } from '../src/shared-channels/shared-channel.entity.js';
import { buildChannel, joinChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildIncomingHook, buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildPost } from './factories/posts.js';
import { buildConnection } from './factories/remote-clusters.js';
import { buildTeam, joinTeam } from './factories/teams.js';
import { type BuiltUser, buildUser } from './factories/users.js';
import { useQuickKeys } from './support/invite-keys.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/* Rows that are equal in the sort columns of a list keep one order, so that its pages neither repeat nor miss one. */

const COUNT = 7;
const PER_PAGE = 2;
const SAME = { display_name: 'The same' };
const TIME = 1_700_000_000_000;

let server: TestServer;
let teamId: string;
let user: BuiltUser;

beforeAll(async () => {
  server = await startTestServer();
  useQuickKeys(server);
  teamId = (await buildTeam(server.admin, SAME)).id;
  user = await buildUser(server);
  await joinTeam(server, teamId, user.id);
});
afterAll(() => server?.close());

const rowsOf = (entity: EntityTarget<ObjectLiteral>) => server.app.get(DataSource).getRepository(entity);
const several = async <T>(build: (index: number) => Promise<T>): Promise<T[]> => {
  const built = [];
  for (let index = 0; index < COUNT; index++) built.push(await build(index));
  return built;
};
const severalIds = async (build: (index: number) => Promise<{ id: string }>): Promise<string[]> =>
  (await several(build)).map(({ id }) => id);
/** Makes rows equal in these columns. */
const level = async (
  entity: EntityTarget<ObjectLiteral>,
  ids: readonly string[],
  columns: object,
  key = 'id',
): Promise<void> => void (await rowsOf(entity).update({ [key]: In([...ids]) }, columns));
const ascending = (ids: readonly string[]): string[] => [...ids].sort();
const descending = (ids: readonly string[]): string[] => ascending(ids).reverse();
const channels = (fields: object = {}): Promise<string[]> =>
  severalIds(() => buildChannel(server.admin, teamId, { ...SAME, ...fields }));
const members = async (): Promise<BuiltUser[]> =>
  several(async () => {
    const member = await buildUser(server);
    await joinTeam(server, teamId, member.id);
    return member;
  });
const byName = (users: readonly BuiltUser[]): string[] =>
  [...users].sort((a, b) => (a.username < b.username ? -1 : 1)).map(({ id }) => id);

interface List {
  /**
   * Creates equal rows. Returns the path of the list, the ids of the rows in its order, and those that are `asked`
   * for.
   */
  readonly make: () => Promise<{ path: string; ids: readonly string[]; asked?: readonly string[] }>;
  readonly body?: (page: { page: number; per_page: number }) => object;
  /** The field that holds the id of a row. */
  readonly key?: string;
  /** The rows in a response. */
  readonly rows?: (body: any) => any[];
  /** The list is returned as a whole. */
  readonly isWhole?: boolean;
}

const inOrder = (body: any): any[] => body.order.map((id: string) => body.posts[id]);

const LISTS: Readonly<Record<string, List>> = {
  'audit rows': {
    make: async () => {
      const texts = {
        userId: '',
        target: '',
        result: 'fail',
        errorId: '',
        address: '',
        parameters: '',
        affected: '',
        repeats: 0,
      };
      const row = { ...texts, createAt: Date.now() + 1e9, action: 'same', status: 401 };
      const ids = await severalIds(async () => {
        const id = newId();
        await rowsOf(Audit).insert({ ...row, id, requestId: newId() });
        return { id };
      });
      return { path: '/audits', ids: descending(ids) };
    },
  },
  'incoming webhooks': {
    make: async () => {
      const { id: channelId } = await buildChannel(server.admin, teamId);
      const ids = await severalIds(() => buildIncomingHook(server.admin, channelId));
      await level(IncomingHook, ids, { createAt: TIME });
      return { path: `/hooks/incoming?team_id=${teamId}`, ids: ascending(ids) };
    },
  },
  'outgoing webhooks': {
    make: async () => {
      const ids = await severalIds(() =>
        buildOutgoingHook(server.admin, teamId, { trigger_words: [newId()] }),
      );
      await level(OutgoingHook, ids, { createAt: TIME });
      return { path: `/hooks/outgoing?team_id=${teamId}`, ids: ascending(ids) };
    },
  },
  recoveries: {
    isWhole: true,
    make: async () => {
      const hook = await buildOutgoingHook(server.admin, teamId, { trigger_words: [newId()] });
      const counts = {
        since: 1,
        until: 2,
        total: 0,
        requeued: 0,
        cursorSeq: 0,
        finishAt: 3,
        isStopped: false,
      };
      const ids = await severalIds(async () => {
        const id = newId();
        await rowsOf(DeliveryRecovery).insert({ id, ownerId: hook.id, createAt: TIME, ...counts });
        return { id };
      });
      return { path: `/hooks/outgoing/${hook.id}/recover`, ids: descending(ids) };
    },
  },
  deliveries: {
    isWhole: true,
    rows: ({ deliveries }) => deliveries,
    make: async () => {
      const hook = await buildOutgoingHook(server.admin, teamId, { trigger_words: [newId()] });
      const settled = { status: 'delivered', createAt: TIME, finishAt: TIME } as const;
      const made = await insertDeliveries(server, hook, COUNT, settled);
      return { path: `/hooks/outgoing/${hook.id}/deliveries`, ids: made.map(({ id }) => id).reverse() };
    },
  },
  roles: {
    isWhole: true,
    key: 'name',
    make: async () => ({
      path: '/roles',
      ids: ascending((await rowsOf(Role).find()).map(({ name }) => name as string)),
    }),
  },
  'roles by name': {
    isWhole: true,
    key: 'name',
    make: () => {
      const names = ascending(['team_user', 'channel_user', 'system_user', 'team_admin', 'channel_admin']);
      return Promise.resolve({ path: '/roles/names', ids: names, asked: descending(names) });
    },
  },
  'channels by id': {
    isWhole: true,
    make: async () => {
      const asked = await channels();
      return { path: `/teams/${teamId}/channels/ids`, ids: ascending(asked), asked };
    },
  },
  'members of a team by id': {
    isWhole: true,
    key: 'user_id',
    make: async () => {
      const asked = (await members()).map(({ id }) => id);
      return { path: `/teams/${teamId}/members/ids`, ids: ascending(asked), asked };
    },
  },
  'members of a channel by id': {
    isWhole: true,
    key: 'user_id',
    make: async () => {
      const { id: channelId } = await buildChannel(server.admin, teamId);
      const asked = (await members()).map(({ id }) => id);
      for (const id of asked) await joinChannel(server.admin, channelId, id);
      return { path: `/channels/${channelId}/members/ids`, ids: ascending(asked), asked };
    },
  },
  'secure connections': {
    key: 'remote_id',
    make: async () => {
      const built = await several(() => buildConnection(server.admin, teamId, { ...SAME, name: 'same' }));
      const rows = await rowsOf('RemoteCluster').findBy({
        remoteId: In(built.map(({ record }) => record.remote_id)),
      });
      const sorted = [...rows].sort((a, b) => (a['id'] < b['id'] ? -1 : 1));
      return { path: '/remotecluster', ids: sorted.map(({ remoteId }) => remoteId as string) };
    },
  },
  teams: {
    make: async () => ({
      path: '/teams',
      ids: ascending(await severalIds(() => buildTeam(server.admin, SAME))),
    }),
  },
  'searched teams': {
    body: (page) => ({ term: 'Alike', ...page }),
    rows: ({ teams }) => teams,
    make: async () => ({
      path: '/teams/search',
      ids: ascending(await severalIds(() => buildTeam(server.admin, { display_name: 'Alike' }))),
    }),
  },
  'teams of a user': {
    isWhole: true,
    make: async () => {
      const ids = await severalIds(() => buildTeam(server.admin, SAME));
      const { id } = await buildUser(server);
      for (const team of ids) await joinTeam(server, team, id);
      return { path: `/users/${id}/teams`, ids: ascending(ids) };
    },
  },
  'memberships of a user': {
    isWhole: true,
    key: 'team_id',
    make: async () => {
      const ids = await severalIds(() => buildTeam(server.admin));
      const { id } = await buildUser(server);
      for (const team of ids) await joinTeam(server, team, id);
      await rowsOf(TeamMember).update({ userId: id }, { createAt: TIME });
      return { path: `/users/${id}/teams/members`, ids: ascending(ids) };
    },
  },
  'members of a team': {
    key: 'user_id',
    make: async () => ({
      path: `/teams/${teamId}/members`,
      ids: ascending((await members()).map(({ id }) => id)),
    }),
  },
  'members of a team by name': {
    key: 'user_id',
    make: async () => ({ path: `/teams/${teamId}/members?sort=Username`, ids: byName(await members()) }),
  },
  'users by age': {
    make: async () => {
      const built = await members();
      await level(
        User,
        built.map(({ id }) => id),
        { createAt: TIME },
      );
      return { path: `/users?in_team=${teamId}&sort=create_at`, ids: byName(built) };
    },
  },
  'users by activity': {
    make: async () => {
      const built = await members();
      await level(
        Session,
        built.map(({ id }) => id),
        { lastActivityAt: TIME },
        'userId',
      );
      return { path: `/users?in_team=${teamId}&sort=last_activity_at`, ids: byName(built) };
    },
  },
  ...Object.fromEntries(
    ['status', 'admin'].map((sort): [string, List] => [
      `users of a channel by ${sort}`,
      {
        make: async () => {
          const { id: channelId } = await buildChannel(server.admin, teamId);
          const built = await members();
          for (const { id } of built) await joinChannel(server.admin, channelId, id);
          return { path: `/users?in_channel=${channelId}&sort=${sort}`, ids: byName(built) };
        },
      },
    ]),
  ),
  'members of a channel': {
    key: 'user_id',
    make: async () => {
      const { id: channelId } = await buildChannel(server.admin, teamId);
      const ids = (await members()).map(({ id }) => id);
      for (const id of ids) await joinChannel(server.admin, channelId, id);
      return { path: `/channels/${channelId}/members`, ids: ascending(ids) };
    },
  },
  sessions: {
    isWhole: true,
    make: async () => {
      const { id } = await buildUser(server);
      const first = await rowsOf(Session).findOneByOrFail({ userId: id });
      for (let index = 1; index < COUNT; index++)
        await rowsOf(Session).insert({ ...first, id: newId(), tokenHash: newId() });
      await rowsOf(Session).update({ userId: id }, { lastActivityAt: TIME });
      const all = await rowsOf(Session).findBy({ userId: id });
      return { path: `/users/${id}/sessions`, ids: ascending(all.map((row) => row['id'] as string)) };
    },
  },
  ...Object.fromEntries(
    ['/users/tokens', '/users/me/tokens', '/users/tokens/search'].map((path): [string, List] => [
      `access tokens at ${path}`,
      {
        ...(path.endsWith('search') ? { body: () => ({ term: 'admin' }), isWhole: true } : {}),
        make: async () => {
          const token = { description: 'the same' };
          const ids = await severalIds(() => server.admin.call('POST', '/users/me/tokens', token));
          await level(UserAccessToken, ids, { createAt: TIME });
          return { path, ids: ascending(ids) };
        },
      },
    ]),
  ),
  'channels of a team': {
    make: async () => ({ path: `/teams/${teamId}/channels`, ids: ascending(await channels()) }),
  },
  'private channels of a team': {
    make: async () => ({
      path: `/teams/${teamId}/channels/private`,
      ids: ascending(await channels({ type: 'P' })),
    }),
  },
  'archived channels of a team': {
    make: async () => {
      const ids = await channels();
      for (const id of ids) await server.admin.call('DELETE', `/channels/${id}`);
      return { path: `/teams/${teamId}/channels/deleted`, ids: ascending(ids) };
    },
  },
  ...Object.fromEntries(
    ['/users/me/channels', 'of a team'].map((which): [string, List] => [
      `channels of a user, ${which}`,
      {
        isWhole: true,
        make: async () => ({
          path: which.startsWith('/') ? which : `/users/me/teams/${teamId}/channels`,
          ids: ascending(await channels()),
        }),
      },
    ]),
  ),
  'shared channels': {
    make: async () => {
      const ids = await channels();
      const names = { name: 'same', displayName: 'The same', purpose: '', header: '', type: 'O' };
      const shared = { home: true, readonly: false, remoteId: '', createAt: TIME, updateAt: TIME };
      for (const channelId of ids)
        await rowsOf(SharedChannel).insert({ ...shared, ...names, channelId, teamId, creatorId: '' });
      return { path: `/sharedchannels/${teamId}`, ids: ascending(ids) };
    },
  },
  'shares of a connection': {
    make: async () => {
      const { record } = await buildConnection(server.admin, teamId, { name: newId() });
      const ids: string[] = [];
      const marks = { lastPostUpdateAt: 0, lastPostId: '', lastPostCreateAt: 0, lastPostCreateId: '' };
      for (const channelId of await channels()) {
        const id = newId();
        ids.push(id);
        const flags = { isFromPeer: false, isInviteAccepted: true, isInviteConfirmed: true, deleteAt: 0 };
        const share = { id, channelId, remoteId: record.remote_id, creatorId: server.adminId };
        await rowsOf(SharedChannelRemote).insert({
          ...share,
          ...flags,
          ...marks,
          createAt: TIME,
          updateAt: TIME,
        });
      }
      return { path: `/remotecluster/${record.remote_id}/sharedchannelremotes`, ids: ascending(ids) };
    },
  },
  ...Object.fromEntries(
    ['posts', 'pinned', 'search'].map((which): [string, List] => [
      `posts of a channel: ${which}`,
      {
        rows: inOrder,
        isWhole: which !== 'posts',
        ...(which === 'search' ? { body: () => ({ terms: 'likewise', is_or_search: false }) } : {}),
        make: async () => {
          const { id: channelId } = await buildChannel(server.admin, teamId);
          const ids = await severalIds(() =>
            buildPost(server.admin, channelId, { create_at: TIME, message: 'likewise' }),
          );
          await level(Post, ids, { seq: TIME * 2048 });
          if (which === 'pinned') for (const id of ids) await server.admin.call('POST', `/posts/${id}/pin`);
          const path =
            which === 'search' ? `/teams/${teamId}/posts/search` : `/channels/${channelId}/${which}`;
          return { path, ids: descending(ids) };
        },
      },
    ]),
  ),
};

/** A statement that reads a part of a list, but does not end its order with a unique column. */
function isLoose(sql: string): boolean {
  const [, limit] = /^SELECT\b.*\bLIMIT\s+(\S+)(?:\s+OFFSET\s+\S+)?\s*$/is.exec(sql) ?? [];
  if (limit === undefined || limit === '1') return false;
  const [, order = ''] = /.*ORDER BY\s+(.+?)\s+LIMIT/is.exec(sql) ?? [];
  const last = order
    .split(',')
    .at(-1)!
    .replace(/["`]|\b(ASC|DESC)\b/gi, '')
    .trim();
  return !/(^|[._])(id|user_id|channel_id|team_id|username|name)$|^delivery[._]seq$|^rowid$|^ChangeRow[._]seq$/.test(
    last,
  );
}

describe('a list keeps its order', () => {
  const loose: string[] = [];
  beforeAll(() => {
    for (const { logger } of server.everywhere(DataSource))
      jest.spyOn(logger, 'logQuery').mockImplementation((sql) => void (isLoose(sql) && loose.push(sql)));
  });

  it.each(Object.keys(LISTS))('%s', async (name) => {
    const { make, body, key = 'id', rows = (all: any) => all, isWhole = false } = LISTS[name]!;
    const { path, ids, asked } = await make();
    const seen: string[] = [];
    for (let page = 0; ; page++) {
      const part = { page, per_page: PER_PAGE };
      const query = isWhole ? '' : `page=${page}&per_page=${PER_PAGE}`;
      const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      const sent = asked ?? body?.(part);
      const answer = await (sent ? server.admin.post(target, sent) : server.admin.get(target));
      const found = rows(answer.body).map((row: any) => row[key] as string);
      seen.push(...found);
      if (isWhole || found.length === 0) break;
    }
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each<[string, (ids: readonly string[], last: string) => Promise<unknown>]>([
    [
      'audit rows',
      (ids, last) => rowsOf(Audit).delete(ids.filter((id) => id !== last)), // the last one must be there
    ],
    ['incoming webhooks', (ids) => level(IncomingHook, ids, { deleteAt: TIME })],
    ['outgoing webhooks', (ids) => level(OutgoingHook, ids, { deleteAt: TIME })],
  ])('%s, after the last row of the previous page, while rows are deleted', async (name, remove) => {
    const { path, ids } = await LISTS[name]!.make();
    const seen: string[] = [];
    const gone: string[] = [];
    const rest = (): string[] => ids.filter((id) => !seen.includes(id) && !gone.includes(id));
    for (let after = ''; rest().length > 0;) {
      const query = `per_page=${PER_PAGE}&after=${after}`;
      const { body } = await server.admin.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
      const found = body.map(({ id }: any) => id as string);
      expect(found).not.toEqual([]);
      seen.push(...found);
      after = found.at(-1)!;
      const next = rest()[1];
      if (next && gone.length === 0) gone.push(next);
      await remove([...gone, ...found.filter((id: string) => ids.includes(id))], after);
    }
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids.filter((id) => !gone.includes(id)));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('also for the oldest webhook of an owner', async () => {
    const { id: channelId } = await buildChannel(server.admin, teamId);
    const { id: ownerId } = await buildMember(server, [teamId]);
    const fields = { user_id: ownerId };
    const ids = await severalIds(() => buildIncomingHook(server.admin, channelId, fields));
    await level(IncomingHook, ids, { createAt: TIME });
    const oldest = await server.app.get(IncomingHooksService).findOldestOf(ownerId);
    expect(oldest?.id).toBe(ascending(ids)[0]);
  });

  it('by a unique column at the end, even when a list continues from one of its rows', async () => {
    const { id: channelId } = await buildChannel(server.admin, teamId);
    const { id: rootId } = await buildPost(server.admin, channelId);
    const { id } = await buildPost(server.admin, channelId, { root_id: rootId });
    await server.admin.call('PUT', `/posts/${id}/patch`, { message: 'edited' });
    for (const path of [
      `/channels/${channelId}/posts?since=1`,
      `/channels/${channelId}/posts?before=${id}`,
      `/channels/${channelId}/posts?after=${rootId}`,
      `/users/me/channels/${channelId}/posts/unread`,
      `/posts/${rootId}/thread?perPage=2`,
      `/posts/${rootId}/thread?perPage=2&direction=up`,
      `/posts/${rootId}/thread?perPage=2&fromUpdateAt=1&updatesOnly=true`,
      `/posts/${id}/edit_history`,
    ])
      await server.admin.call('GET', path);
    expect(loose).toEqual([]);
  });
});
