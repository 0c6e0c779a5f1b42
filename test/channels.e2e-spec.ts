import { DataSource } from 'typeorm';
import { ChannelMember } from '../src/messaging/channels/channel-member.entity.js';
import { Channel } from '../src/messaging/channels/channel.entity.js';
import { insertRows } from '../src/platform/database/rows.js';
import {
  ChannelArchived,
  ChannelConverted,
  ChannelCreated,
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelMemberUpdated,
  ChannelRestored,
  ChannelUpdated,
  ChannelViewed,
  DirectChannelCreated,
  GroupChannelCreated,
} from '../src/messaging/channels/channels.events.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel, buildDirect, channelName, channelNamed, joinChannel } from './factories/channels.js';
import { buildIncomingHook, buildMember } from './factories/incoming-hooks.js';
import { buildTeam, buildTeamMember, joinTeam, teamName } from './factories/teams.js';
import { buildRemoteUser, type BuiltUser, buildUser, REMOTE_USER } from './factories/users.js';
import { announcedBy } from './support/announcements.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const UNKNOWN = 'yyyyyyyyyyyyyyyyyyyyyyyyyy';
const MISSING_NAME = 'app.channel.get_by_name.missing.app_error';
const TAKEN = 'store.sql_channel.save_channel.exists.app_error';
const MISSING_MEMBER = 'app.channel.get_member.missing.app_error';

/** The list in a response. */
const rows = (list: unknown): any[] => list as any[];
const valuesOf = ({ body }: Answer, field: string): any[] => rows(body).map((one) => one[field]);

const INVALID = 'api.context.invalid_body_param.app_error';
const refuses = async (call: Promise<Answer>, id = INVALID, status = 400): Promise<void> =>
  expectError(await call, status, id);

const idsOf = (answer: Answer): string[] => valuesOf(answer, 'id');

describe('channels', () => {
  let server: TestServer;
  let admin: ApiClient;
  /** Administrator of `team`. */
  let owner: BuiltUser;
  /** Member of `team`. */
  let member: BuiltUser;
  /** In no team. */
  let stranger: BuiltUser;
  let team: any;
  let townSquare: any;
  /** An open channel created by `owner`. */
  let open: any;
  /** A private channel created by `owner`. */
  let secret: any;

  beforeAll(async () => {
    server = await startTestServer();
    admin = server.admin;
    owner = await buildUser(server);
    team = await buildTeam(owner.client);
    member = await buildTeamMember(server, team.id);
    stranger = await buildUser(server);
    townSquare = await channelNamed(owner.client, team.id, 'town-square');
  });
  beforeEach(async () => {
    open = await buildChannel(owner.client, team.id);
    secret = await buildChannel(owner.client, team.id, { type: 'P' });
  });
  afterAll(() => server.close());

  const typesIn = async (channelId: string) => {
    const { order, posts } = (await admin.get(`/channels/${channelId}/posts`)).body;
    return rows(order).map((id: string) => posts[id].type);
  };

  describe('creation', () => {
    it.each(['O', 'P'])('creates a channel of type %s and its administrator (48)', async (type) => {
      const name = channelName();
      const body = { team_id: team.id, name, display_name: 'Releases 🚀', type, header: 'h', purpose: 'p' };
      let answer!: Answer;
      const events = await announcedBy<any>(server, [ChannelCreated, ChannelMemberAdded], async () => {
        answer = await member.client.post('/channels', { ...body, creator_id: owner.id, total_msg_count: 7 });
      });
      expect(answer.status).toBe(201);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toEqual({
        ...body,
        id: expect.stringMatching(/^[a-z0-9]{26}$/),
        create_at: expect.any(Number),
        update_at: answer.body.create_at,
        delete_at: 0,
        last_post_at: expect.any(Number),
        total_msg_count: 0,
        extra_update_at: 0,
        creator_id: member.id,
        scheme_id: null,
        props: null,
        group_constrained: null,
        shared: null,
        total_msg_count_root: 0,
        policy_id: null,
        last_root_post_at: expect.any(Number),
        banner_info: null,
        policy_enforced: false,
        policy_is_active: false,
        default_category_name: '',
        autotranslation: false,
      });
      const { id } = answer.body;
      expect(events).toEqual([
        new ChannelCreated(id, team.id, member.id),
        new ChannelMemberAdded(id, member.id, member.id, team.id),
      ]);
      expect((await member.client.get(`/channels/${id}/members/me`)).body).toMatchObject({
        roles: 'channel_user channel_admin',
        scheme_admin: true,
        last_viewed_at: expect.any(Number),
      });
      expect(await typesIn(id)).toEqual(['system_join_channel']);
    });

    it.each<[string, Record<string, unknown>, string]>([
      ['a direct channel (49)', { type: 'D' }, 'api.channel.create_channel.direct_channel.app_error'],
      ['a group channel', { type: 'G' }, 'api.channel.create_channel.direct_channel.app_error'],
      ['no team', { team_id: '' }, INVALID],
      ['an invalid team id', { team_id: 'junk' }, INVALID],
      ['no display name', { display_name: '' }, INVALID],
      ['no name', { name: undefined }, 'model.channel.is_valid.1_or_more.app_error'],
      ['an id', { id: newId() }, 'store.sql_channel.save_channel.existing.app_error'],
      ['a number as the name', { name: 5 }, INVALID],
    ])('refuses %s', async (_what, fields, id) => {
      const body = { team_id: team.id, name: channelName(), display_name: 'x', type: 'O', ...fields };
      await refuses(member.client.post('/channels', body), id);
    });

    it('refuses a taken name, even of an archived channel, and accepts it in another team (50)', async () => {
      const again = { team_id: team.id, name: open.name, display_name: 'Again', type: 'P' };
      await refuses(member.client.post('/channels', again), TAKEN);
      await owner.client.delete(`/channels/${open.id}`);
      await refuses(member.client.post('/channels', again), TAKEN);
      const other = await buildTeam(member.client);
      expect((await member.client.post('/channels', { ...again, team_id: other.id })).status).toBe(201);
    });

    it('creates only one channel when many requests use the same name', async () => {
      const body = { team_id: team.id, name: channelName(), display_name: 'Race', type: 'O' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => member.client.post('/channels', body)),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(7).fill(400)]);
      const ids = answers.filter((answer) => answer.status === 400).map((answer) => answer.body.id);
      expect(new Set(ids)).toEqual(new Set([TAKEN]));
    });

    it('requires a known team', async () => {
      const body = { team_id: team.id, name: channelName(), display_name: 'x', type: 'O' };
      await refuses(
        admin.post('/channels', { ...body, team_id: UNKNOWN }),
        'app.team.get.find.app_error',
        404,
      );
    });
  });

  describe('reading', () => {
    it('shows open channels to the team and private ones to their members (51)', async () => {
      const byId = (client: ApiClient, id: string) => client.get(`/channels/${id}`);
      const byName = (client: ApiClient, name: string) =>
        client.get(`/teams/${team.id}/channels/name/${name}`);
      const byNames = (client: ApiClient, name: string) =>
        client.get(`/teams/name/${team.name}/channels/name/${name}`);
      expect((await byId(member.client, open.id)).body).toMatchObject({ id: open.id, name: open.name });
      expect((await byName(member.client, open.name)).body.id).toBe(open.id);
      expect((await byNames(member.client, open.name)).body.id).toBe(open.id);
      expect((await byName(owner.client, secret.name)).body.id).toBe(secret.id);
      expect((await byId(member.client, secret.id)).status).toBe(403);
      await refuses(byName(member.client, secret.name), MISSING_NAME, 404);
      await refuses(byNames(member.client, secret.name), MISSING_NAME, 404);
      expect((await byId(stranger.client, open.id)).status).toBe(403);
      expect((await byName(stranger.client, open.name)).status).toBe(403);
      expect((await byNames(stranger.client, open.name)).status).toBe(403);
      await refuses(byName(stranger.client, secret.name), MISSING_NAME, 404);
      expect((await byId(admin, secret.id)).status).toBe(200);
    });

    it('returns 404 and 400 for unknown and invalid ids', async () => {
      await refuses(stranger.client.get(`/channels/${UNKNOWN}`), 'app.channel.get.existing.app_error', 404);
      const base = `/teams/${team.id}/channels/name`;
      await refuses(member.client.get(`${base}/no-such-channel`), MISSING_NAME, 404);
      await refuses(member.client.get(`/teams/${UNKNOWN}/channels/name/town-square`), MISSING_NAME, 404);
      await refuses(member.client.get(`${base}/Junk!`), 'api.context.invalid_url_param.app_error');
      const typed = `/teams/name/${team.name.toUpperCase()}/channels/name/Town-Square%20`;
      expect((await member.client.get(typed)).body.name).toBe('town-square');
      await refuses(
        member.client.get('/teams/name/no-such/channels/name/town-square'),
        'app.team.get_by_name.missing.app_error',
        404,
      );
    });

    it('finds archived channels by id, and by name on demand', async () => {
      await owner.client.delete(`/channels/${open.id}`);
      expect((await member.client.get(`/channels/${open.id}`)).body.delete_at).toBeGreaterThan(0);
      for (const base of [`/teams/${team.id}`, `/teams/name/${team.name}`]) {
        const path = `${base}/channels/name/${open.name}`;
        await refuses(member.client.get(path), MISSING_NAME, 404);
        expect((await member.client.get(`${path}?include_deleted=true`)).body.id).toBe(open.id);
      }
    });

    it('shows current counters instead of cached ones', async () => {
      const before = (await owner.client.get(`/channels/${open.id}`)).body;
      const post = await owner.client.post('/posts', { channel_id: open.id, message: 'one' });
      expect(post.status).toBe(201);
      for (const path of [`/channels/${open.id}`, `/teams/${team.id}/channels/name/${open.name}`]) {
        expect((await owner.client.get(path)).body).toMatchObject({
          total_msg_count: before.total_msg_count + 1,
          total_msg_count_root: before.total_msg_count_root + 1,
          last_post_at: post.body.create_at,
        });
      }
    });

    it('lists open, private, archived and selected channels of a team', async () => {
      const own = await buildTeam(member.client);
      const make = (fields: Record<string, unknown>) => buildChannel(member.client, own.id, fields);
      const [b, a] = [await make({ display_name: 'B' }), await make({ display_name: 'A' })];
      const hidden = await make({ type: 'P' });
      const [gone, archivedPrivate] = [await make({ display_name: 'Gone' }), await make({ type: 'P' })];
      const onlooker = await buildTeamMember(server, own.id);
      for (const channel of [gone, archivedPrivate]) await member.client.delete(`/channels/${channel.id}`);
      const list = (client: ApiClient, rest = '') => client.get(`/teams/${own.id}/channels${rest}`);
      expect(valuesOf(await list(onlooker.client), 'display_name')).toEqual([
        'A',
        'B',
        'Off-Topic',
        'Town Square',
      ]);
      expect(idsOf(await list(onlooker.client, '?per_page=1&page=1'))).toEqual([b.id]);
      expect(idsOf(await list(admin, '/private'))).toEqual([hidden.id]);
      expect(idsOf(await list(onlooker.client, '/deleted'))).toEqual([gone.id]);
      expect(new Set(idsOf(await list(member.client, '/deleted')))).toEqual(
        new Set([gone.id, archivedPrivate.id]),
      );
      expect(idsOf(await list(admin, '/deleted'))).toHaveLength(2);
      const chosen = (client: ApiClient, ids: unknown) => client.post(`/teams/${own.id}/channels/ids`, ids);
      expect(idsOf(await chosen(onlooker.client, [a.id, hidden.id, gone.id, UNKNOWN, open.id]))).toEqual([
        a.id,
      ]);
      for (const body of [[], {}, ['junk'], [5]])
        expect((await chosen(onlooker.client, body)).status).toBe(400);
    });

    it('lists the channels of a user', async () => {
      const user = await buildTeamMember(server, team.id);
      await joinChannel(user.client, open.id, user.id);
      const direct = await buildDirect(user.client, user.id, owner.id);
      const other = await buildTeam(user.client);
      const inTeam = await user.client.get(`/users/me/teams/${team.id}/channels`);
      const mine = new Set([open.id, direct.id, townSquare.id]);
      expect(inTeam.status).toBe(200);
      expect(new Set(idsOf(inTeam).filter((id) => mine.has(id)))).toEqual(mine);
      expect(inTeam.body).toHaveLength(4);
      expect((await user.client.get(`/users/${user.id}/channels`)).body).toHaveLength(6);
      expect((await admin.get(`/users/${user.id}/teams/${other.id}/channels`)).body).toHaveLength(3);
      const nobody = await buildUser(server);
      const none = 'app.channel.get_channels.not_found.app_error';
      await refuses(nobody.client.get('/users/me/channels'), none, 404);
      await refuses(admin.get(`/users/${nobody.id}/teams/${team.id}/channels`), none, 404);
    });

    it('lists archived channels of a user on demand', async () => {
      await owner.client.delete(`/channels/${open.id}`);
      const { delete_at } = (await owner.client.get(`/channels/${open.id}`)).body;
      const list = async (query: string) =>
        idsOf(await owner.client.get(`/users/me/teams/${team.id}/channels${query}`));
      expect(await list('')).not.toContain(open.id);
      expect(await list('?include_deleted=true')).toContain(open.id);
      expect(await list(`?include_deleted=true&last_delete_at=${delete_at}`)).toContain(open.id);
      expect(await list(`?include_deleted=true&last_delete_at=${delete_at + 1}`)).not.toContain(open.id);
      expect((await owner.client.get('/users/me/channels?last_delete_at=-1')).status).toBe(400);
    });

    it('counts members and pinned posts', async () => {
      const other = await buildTeamMember(server, team.id);
      await joinChannel(owner.client, open.id, other.id);
      const post = await owner.client.post('/posts', { channel_id: open.id, message: 'pin me' });
      await owner.client.post(`/posts/${post.body.id}/pin`);
      const stats = (query = '', client = member.client) => client.get(`/channels/${open.id}/stats${query}`);
      expect((await stats()).body).toEqual({
        channel_id: open.id,
        member_count: 2,
        guest_count: 0,
        pinnedpost_count: 1,
        files_count: 0,
      });
      expect((await stats('?exclude_files_count=true')).body.files_count).toBe(-1);
    });

    it('lists each time zone of the members once', async () => {
      const zones = (client = member.client, id = open.id) => client.get(`/channels/${id}/timezones`);
      expect((await zones()).body).toEqual([]);
      await member.client.put('/users/me/patch', {
        timezone: { useAutomaticTimezone: 'true', automaticTimezone: 'Asia/Tokyo', manualTimezone: 'UTC' },
      });
      await owner.client.put('/users/me/patch', {
        timezone: { useAutomaticTimezone: 'false', automaticTimezone: 'UTC', manualTimezone: 'Asia/Tokyo' },
      });
      await joinChannel(member.client, open.id, member.id);
      expect((await zones()).body).toEqual(['Asia/Tokyo']);
    });

    it('sorts the channels of a user into sidebar categories', async () => {
      const someone = await buildMember(server, [team.id]);
      const [open, favorite] = [await buildChannel(admin, team.id), await buildChannel(admin, team.id)];
      await joinChannel(admin, open.id, someone.id);
      await joinChannel(admin, favorite.id, someone.id);
      const direct = (await someone.client.post('/channels/direct', [someone.id, member.id])).body;
      const mark = { user_id: someone.id, category: 'favorite_channel', name: favorite.id, value: 'true' };
      await someone.client.put('/users/me/preferences', [mark]);

      const path = `/users/me/teams/${team.id}/channels/categories`;
      const { order, categories } = (await someone.client.get(path)).body;
      const idOf = (type: string) => `${type}_${someone.id}_${team.id}`;
      expect(order).toEqual([idOf('favorites'), idOf('channels'), idOf('direct_messages')]);
      expect(categories.map(({ id }: { id: string }) => id)).toEqual(order);
      const [favorites, channels, directMessages] = categories;
      expect(favorites).toEqual({
        id: idOf('favorites'),
        user_id: someone.id,
        team_id: team.id,
        type: 'favorites',
        display_name: 'Favorites',
        sort_order: 0,
        sorting: '',
        muted: false,
        collapsed: false,
        channel_ids: [favorite.id],
      });
      expect(channels.channel_ids).toContain(open.id);
      expect(channels.channel_ids).not.toContain(favorite.id);
      expect(directMessages).toMatchObject({ sorting: 'recent', channel_ids: [direct.id] });
      expect((await someone.client.get(`${path}/order`)).body).toEqual(order);
      const threads = { total: 0, total_unread_threads: 0, total_unread_mentions: 0, threads: [] };
      expect((await someone.client.get(`/users/me/teams/${team.id}/threads`)).body).toEqual(threads);
      expectError(await someone.client.put(path, []), 501, 'api.context.not_available.app_error');
      expectError(
        await someone.client.post('/posts/ephemeral', {}),
        501,
        'api.context.not_available.app_error',
      );
    });

    it('lists the memberships of a user in all teams', async () => {
      const someone = await buildMember(server, [team.id]);
      const direct = (await someone.client.post('/channels/direct', [someone.id, member.id])).body;
      const all = (await someone.client.get('/users/me/channel_members?page=-1&per_page=1')).body;
      expect(all.length).toBeGreaterThan(2);
      for (const one of all)
        expect(one).toMatchObject(
          one.channel_id === direct.id
            ? { user_id: someone.id, team_display_name: '', team_name: '', team_update_at: 0 }
            : {
                team_display_name: team.display_name,
                team_name: team.name,
                team_update_at: expect.any(Number),
              },
        );
      const ids = all.map(({ channel_id: id }: { channel_id: string }) => id);
      expect(ids).toContain(direct.id);
      const page = async (query: string) =>
        (await admin.get(`/users/${someone.id}/channel_members${query}`)).body.map(
          ({ channel_id: id }: { channel_id: string }) => id,
        );
      expect(await page('?page=1&per_page=1')).toEqual(ids.slice(1, 2));
      expect(await page('')).toEqual(ids);
      expect(await page('?page=-2')).toEqual(ids);
    });
  });

  describe('finding', () => {
    /** Appears in the channel names of one test only. */
    let mark: string;
    let mine: any;
    let joined: any;
    let foreign: any;

    beforeEach(async () => {
      mark = newId().slice(0, 12);
      const named = (suffix: string, type = 'O') =>
        buildChannel(owner.client, team.id, { name: `${mark}-${suffix}`, display_name: suffix, type });
      mine = await named('mine');
      joined = await named('joined', 'P');
      foreign = await named('foreign', 'P');
      await joinChannel(owner.client, joined.id, member.id);
    });

    const complete = async (client: ApiClient, name: string, path = 'autocomplete') =>
      idsOf(await client.get(`/teams/${team.id}/channels/${path}?name=${name}`));
    const search = async (client: ApiClient, term: string) =>
      idsOf(await client.post(`/teams/${team.id}/channels/search`, { term }));

    it('completes open channels and own private ones by name', async () => {
      expect(await complete(member.client, mark.toUpperCase())).toEqual([joined.id, mine.id]);
      expect(await complete(member.client, mark, 'search_autocomplete')).toEqual([joined.id, mine.id]);
      expect(await complete(owner.client, mark)).toEqual([foreign.id, joined.id, mine.id]);
      expect(await complete(member.client, `${mark}-no`)).toEqual([]);
      expect((await complete(member.client, '')).length).toBeGreaterThan(0);
    });

    it('searches open channels by name, display name and purpose', async () => {
      expect(await search(owner.client, mark)).toEqual([mine.id]);
      expect(await search(member.client, `~${mark}-MI`)).toEqual([mine.id]);
      await owner.client.put(`/channels/${open.id}/patch`, { purpose: `for ${mark}` });
      expect(await search(member.client, `for ${mark}`)).toEqual([open.id]);
      await refuses(member.client.post(`/teams/${team.id}/channels/search`, { term: 'x'.repeat(257) }));
      expect(await search(member.client, '😀'.repeat(256))).toEqual([]);
      await owner.client.delete(`/channels/${mine.id}`);
      expect(await search(member.client, mark)).toEqual([open.id]);
      const archived = await member.client.post(`/teams/${team.id}/channels/search_archived`, { term: mark });
      expect(idsOf(archived)).toEqual([mine.id]);
    });

    it('finds own group channels', async () => {
      const other = await buildTeamMember(server, team.id);
      const group = await member.client.post('/channels/group', [owner.id, other.id]);
      const found = (client: ApiClient) => client.post('/channels/group/search', { term: other.username });
      expect(idsOf(await found(member.client))).toEqual([group.body.id]);
      expect(idsOf(await found(stranger.client))).toEqual([]);
    });

    it('lists and searches all of them for administrators, with their teams', async () => {
      const found = async (body: object, client = admin, query = '') =>
        client.post(`/channels/search${query}`, { term: mark, ...body });
      expect(idsOf(await found({}))).toEqual([foreign.id, joined.id, mine.id]);
      expect(rows((await found({})).body)[0]).toMatchObject({
        team_name: team.name,
        team_display_name: team.display_name,
      });
      expect((await found({ page: 1, per_page: 2 })).body).toEqual({
        channels: [expect.objectContaining({ id: mine.id })],
        total_count: 3,
      });
      expect(idsOf(await found({ public: true }))).toEqual([mine.id]);
      expect(idsOf(await found({ private: true, team_ids: [UNKNOWN] }))).toEqual([]);
      expect((await found({ team_ids: ['junk'] })).status).toBe(400);
      expect((await found({ page: -1, per_page: 1 })).status).toBe(400);
      expect((await found({ page: 0, per_page: -1 })).status).toBe(400);
      expect(idsOf(await found({}, member.client, '?system_console=false'))).toEqual([joined.id, mine.id]);

      await owner.client.delete(`/channels/${mine.id}`);
      expect(idsOf(await found({ deleted: true }))).toEqual([mine.id]);
      expect(idsOf(await found({ include_deleted: true }))).toHaveLength(3);
      const all = async (query: string) => (await admin.get(`/channels?per_page=200${query}`)).body;
      const ids = rows(await all('')).map((one: any) => one.id);
      expect(ids).toEqual(expect.arrayContaining([foreign.id, joined.id, townSquare.id]));
      expect(ids).not.toContain(mine.id);
      const whole = await all('&include_deleted=true&exclude_default_channels=true&include_total_count=true');
      expect(rows(whole.channels).map((one: any) => one.id)).toContain(mine.id);
      expect(rows(whole.channels).map((one: any) => one.name)).not.toContain('town-square');
      expect(whole.total_count).toBe(whole.channels.length);
    });

    it('lists users who share a channel with the caller', async () => {
      const lonely = await buildUser(server);
      expect((await lonely.client.get('/users/known')).body).toEqual([]);
      expect((await member.client.get('/users/known')).body).toEqual(expect.arrayContaining([owner.id]));
      expect((await member.client.get('/users/known')).body).not.toContain(lonely.id);
      expect((await member.client.get('/users/known')).body).not.toContain(member.id);
    });
  });

  describe('direct and group channels', () => {
    it('creates one direct channel for two users, even under concurrency (52)', async () => {
      const [a, b] = [await buildUser(server), await buildUser(server)];
      let answers: Answer[] = [];
      const events = await announcedBy(server, [DirectChannelCreated], async () => {
        const calls = Array.from({ length: 10 }, () => a.client.post('/channels/direct', [a.id, b.id]));
        answers = await Promise.all([...calls, b.client.post('/channels/direct', [a.id, b.id])]);
      });
      expect(answers.map((answer) => answer.status)).toEqual(Array(11).fill(201));
      const channel = answers[0]!.body;
      expect(new Set(answers.map(({ body }) => body.id))).toEqual(new Set([channel.id]));
      expect(channel).toMatchObject({
        type: 'D',
        team_id: '',
        display_name: '',
        name: [a.id, b.id].sort().join('__'),
        creator_id: expect.stringMatching(`${a.id}|${b.id}`),
      });
      const teammateId = channel.creator_id === a.id ? b.id : a.id;
      expect(events).toEqual([new DirectChannelCreated(channel.id, channel.creator_id, teammateId)]);
      const members = (await b.client.get(`/channels/${channel.id}/members`)).body;
      expect(rows(members).map((one: any) => [one.user_id, one.roles])).toEqual(
        [a.id, b.id].sort().map((id) => [id, 'channel_user']),
      );
      const byName = await b.client.get(`/teams/${team.id}/channels/name/${channel.name}`);
      expect(byName.body.id).toBe(channel.id);
      expect((await stranger.client.get(`/teams/${team.id}/channels/name/${channel.name}`)).status).toBe(404);
    });

    it('creates a direct channel with oneself', async () => {
      const user = await buildUser(server);
      for (const ids of [[user.id], [user.id, user.id]]) {
        const answer = await user.client.post('/channels/direct', ids);
        expect([answer.status, answer.body.name]).toEqual([201, `${user.id}__${user.id}`]);
      }
    });

    it('refuses an invalid pair of users (53, 54)', async () => {
      const post = (body: unknown, client = member.client) => client.post('/channels/direct', body);
      for (const body of [[], [owner.id], [member.id, owner.id, stranger.id], {}, [member.id, 5], null])
        await refuses(post(body));
      await refuses(post([member.id, 'junk']));
      await refuses(post([member.id, UNKNOWN]), 'api.channel.create_direct_channel.invalid_user.app_error');
      const byAdmin = await post([owner.id, stranger.id], admin);
      expect([byAdmin.status, byAdmin.body.creator_id]).toEqual([201, owner.id]);
    });

    it('creates one group channel for three to eight users', async () => {
      const users = await Promise.all([buildUser(server), buildUser(server), buildUser(server)]);
      const [a, b, c] = users;
      let made!: Answer[];
      const events = await announcedBy(server, [GroupChannelCreated], async () => {
        made = [
          await a.client.post('/channels/group', [b.id, c.id]),
          await b.client.post('/channels/group', [c.id, a.id, b.id, a.id]),
        ];
      });
      expect(made.map((answer) => [answer.status, answer.body.id])).toEqual([
        [201, made[0]!.body.id],
        [201, made[0]!.body.id],
      ]);
      expect(made[0]!.body).toMatchObject({
        type: 'G',
        team_id: '',
        name: expect.stringMatching(/^[0-9a-f]{40}$/),
        display_name: [a.username, b.username, c.username].sort().join(', ').slice(0, 64),
      });
      expect(events).toEqual([new GroupChannelCreated(made[0]!.body.id, a.id, [b.id, c.id].sort())]);
      const group = (body: unknown) => a.client.post('/channels/group', body);
      await refuses(group([b.id]), 'api.channel.create_group.bad_size.app_error');
      await refuses(
        group(Array.from({ length: 8 }, () => newId())),
        'api.channel.create_group.bad_size.app_error',
      );
      await refuses(group([b.id, UNKNOWN]), 'api.channel.create_group.bad_user.app_error');
      for (const body of [[], {}, ['junk', b.id]]) expect((await group(body)).status).toBe(400);
    });

    it('lets members change only the header', async () => {
      const direct = await buildDirect(member.client, member.id, owner.id);
      const patch = (body: unknown, client = member.client) =>
        client.put(`/channels/${direct.id}/patch`, body);
      expect((await patch({ header: 'hello' })).body).toMatchObject({ id: direct.id, header: 'hello' });
      for (const body of [{ name: 'other' }, { display_name: 'x' }, { purpose: 'x' }])
        expect((await patch(body)).status).toBe(400);
      await refuses(patch({ header: 'x'.repeat(1025) }), 'model.channel.is_valid.header.app_error');
      const put = await owner.client.put(`/channels/${direct.id}`, { ...direct, header: 'put' });
      expect([put.status, put.body.header]).toEqual([200, 'put']);
      await refuses(
        member.client.delete(`/channels/${direct.id}`),
        'api.channel.delete_channel.type.invalid',
      );
      expect((await admin.put(`/channels/${direct.id}/privacy`, { privacy: 'O' })).status).toBe(400);
      expect((await admin.post(`/channels/${direct.id}/restore`)).status).toBe(403);
    });
  });

  describe('change', () => {
    it('replaces the fields of a PUT', async () => {
      const events = await announcedBy(server, [ChannelUpdated], async () => {
        const name = channelName();
        expect((await owner.client.get(`/teams/${team.id}/channels/name/${name}`)).status).toBe(404);
        const answer = await owner.client.put(`/channels/${open.id}`, {
          ...open,
          name,
          display_name: 'New',
          header: 'h',
          purpose: 'p',
          total_msg_count: 99,
          creator_id: member.id,
        });
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({
          id: open.id,
          name,
          display_name: 'New',
          header: 'h',
          purpose: 'p',
          total_msg_count: open.total_msg_count,
          creator_id: owner.id,
          type: 'O',
        });
        expect((await owner.client.get(`/teams/${team.id}/channels/name/${name}`)).body.id).toBe(open.id);
        expect((await owner.client.get(`/teams/${team.id}/channels/name/${open.name}`)).status).toBe(404);
      });
      expect(events).toEqual([new ChannelUpdated(open.id)]);
    });

    it('refuses invalid fields of a PUT', async () => {
      const put = (body: Record<string, unknown>, id = open.id, client = owner.client) =>
        client.put(`/channels/${id}`, body);
      expect((await owner.client.put(`/channels/${open.id}`, undefined, { raw: '[' })).status).toBe(400);
      await refuses(put({ id: secret.id }));
      await refuses(
        put({ id: UNKNOWN }, UNKNOWN, stranger.client),
        'app.channel.get.existing.app_error',
        404,
      );
      await refuses(put({ id: open.id, type: 'P' }), 'api.channel.update_channel.typechange.app_error');
      await refuses(put({ id: open.id, name: 'Bad Name' }), 'model.channel.is_valid.1_or_more.app_error');
      await refuses(put({ id: open.id, name: secret.name }), TAKEN);
      await refuses(
        put({ id: townSquare.id, name: 'agora' }, townSquare.id),
        'api.channel.update_channel.tried.app_error',
      );
      const renamed = await put({ id: townSquare.id, display_name: 'Agora' }, townSquare.id);
      expect([renamed.status, renamed.body.name]).toEqual([200, 'town-square']);
      await owner.client.delete(`/channels/${open.id}`);
      await refuses(put({ id: open.id, header: 'x' }), 'api.channel.update_channel.deleted.app_error');
    });

    it('patches single fields', async () => {
      const patch = (body: unknown, client = owner.client) => client.put(`/channels/${open.id}/patch`, body);
      expect((await patch({ header: 'h' })).body).toMatchObject({
        header: 'h',
        display_name: open.display_name,
      });
      expect((await patch({ header: '' })).body.header).toBe('');
      for (const body of [{}, { type: 'P' }, { header: null }])
        await refuses(patch(body), 'api.channel.patch_update_channel.no_changes.app_error');
      expect((await patch({ name: '' })).status).toBe(400);
      expect((await patch({ purpose: 1 })).status).toBe(400);
    });

    it('keeps the message count while fields change', async () => {
      const change = (i: number) => owner.client.put(`/channels/${open.id}/patch`, { header: `h${i}` });
      const post = (i: number) => owner.client.post('/posts', { channel_id: open.id, message: `m${i}` });
      const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? change(i) : post(i))));
      expect(answers.every((answer) => answer.status < 300)).toBe(true);
      expect((await owner.client.get(`/channels/${open.id}`)).body.total_msg_count).toBe(5);
    });

    it('converts between open and private, effective at once', async () => {
      const convert = (id: string, privacy: unknown, client = owner.client) =>
        client.put(`/channels/${id}/privacy`, { privacy });
      expect((await member.client.get(`/channels/${open.id}`)).status).toBe(200);
      const events = await announcedBy(server, [ChannelConverted], async () => {
        expect((await convert(open.id, 'P')).body).toMatchObject({ id: open.id, type: 'P' });
        expect((await member.client.get(`/channels/${open.id}`)).status).toBe(403);
        expect((await convert(open.id, 'P')).status).toBe(200);
        expect((await convert(open.id, 'O')).body.type).toBe('O');
        expect((await member.client.get(`/channels/${open.id}`)).status).toBe(200);
      });
      expect(events).toEqual([
        new ChannelConverted(open.id, team.id, owner.id, 'P'),
        new ChannelConverted(open.id, team.id, owner.id, 'O'),
      ]);
      expect((await typesIn(open.id)).slice(0, 2)).toEqual([
        'system_change_chan_privacy',
        'system_change_chan_privacy',
      ]);
      for (const privacy of ['D', '', null, 5, undefined]) await refuses(convert(open.id, privacy));
      await refuses(convert(townSquare.id, 'P'), 'api.channel.update_channel_privacy.default_channel_error');
    });

    it('archives a channel with its hooks and restores it without them (60)', async () => {
      const hook = await buildIncomingHook(owner.client, open.id);
      const events = await announcedBy<any>(server, [ChannelArchived, ChannelRestored], async () => {
        const calls = Array.from({ length: 6 }, () => owner.client.delete(`/channels/${open.id}`));
        const archived = await Promise.all(calls);
        expect(archived.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
        expect(archived.find(({ status }) => status === 200)!.body).toEqual({ status: 'OK' });
        expect((await owner.client.get(`/hooks/incoming/${hook.id}`)).status).toBe(404);
        await refuses(
          owner.client.delete(`/channels/${open.id}`),
          'api.channel.delete_channel.deleted.app_error',
        );
        const restored = await owner.client.post(`/channels/${open.id}/restore`);
        expect([restored.status, restored.body.delete_at]).toEqual([200, 0]);
        expect((await owner.client.get(`/hooks/incoming/${hook.id}`)).status).toBe(404);
        await refuses(
          owner.client.post(`/channels/${open.id}/restore`),
          'api.channel.restore_channel.restored.app_error',
        );
      });
      expect(events).toEqual([
        new ChannelArchived(open.id, team.id, owner.id, expect.any(Number) as unknown as number),
        new ChannelRestored(open.id, team.id, owner.id),
      ]);
      expect((await typesIn(open.id)).slice(0, 2)).toEqual([
        'system_channel_restored',
        'system_channel_deleted',
      ]);
      expect((await member.client.get(`/teams/${team.id}/channels/name/${open.name}`)).status).toBe(200);
    });

    it('lets members archive, but not permanently, and not the default channel', async () => {
      await joinChannel(member.client, open.id, member.id);
      await refuses(
        member.client.delete(`/channels/${open.id}?permanent=true`),
        'api.user.delete_channel.not_enabled.app_error',
        401,
      );
      expect((await member.client.delete(`/channels/${open.id}`)).status).toBe(200);
      await refuses(
        owner.client.delete(`/channels/${townSquare.id}`),
        'api.channel.delete_channel.cannot.app_error',
      );
    });

    it('refuses joins and posts in an archived channel', async () => {
      await joinChannel(member.client, open.id, member.id);
      await owner.client.delete(`/channels/${open.id}`);
      const before = await typesIn(open.id);
      const added = await owner.client.post(`/channels/${open.id}/members`, { user_id: owner.id });
      expect(added.status).toBe(201); // already a member
      const join = admin.post(`/channels/${open.id}/members`, { user_id: server.adminId });
      await refuses(join, 'api.channel.update_channel.deleted.app_error');
      expect((await member.client.delete(`/channels/${open.id}/members/${member.id}`)).status).toBe(200);
      expect(await typesIn(open.id)).toEqual(before);
    });
  });

  describe('members', () => {
    const add = (client: ApiClient, channelId: string, body: unknown) =>
      client.post(`/channels/${channelId}/members`, body);

    it('rejects accounts of other servers', async () => {
      const foreign = await buildRemoteUser(server);
      const path = `/channels/${open.id}/members`;
      await refuses(admin.post(path, { user_id: foreign }), REMOTE_USER);
      const both = await admin.post(path, { user_ids: [foreign, member.id] });
      expect(both.status).toBe(201);
      expect((await admin.get(`${path}/${member.id}`)).status).toBe(200);
      expect((await admin.get(`${path}/${foreign}`)).status).toBe(404);
    });

    it('lets users join an open channel (56)', async () => {
      const events = await announcedBy(server, [ChannelMemberAdded], async () => {
        const answer = await add(member.client, open.id, { user_id: member.id });
        expect(answer.status).toBe(201);
        expect(answer.body).toEqual({
          channel_id: open.id,
          user_id: member.id,
          roles: 'channel_user',
          last_viewed_at: expect.any(Number),
          msg_count: expect.any(Number),
          mention_count: 0,
          mention_count_root: 0,
          urgent_mention_count: 0,
          msg_count_root: expect.any(Number),
          notify_props: {
            desktop: 'default',
            email: 'default',
            ignore_channel_mentions: 'default',
            mark_unread: 'all',
            push: 'default',
            channel_auto_follow_threads: 'off',
          },
          last_update_at: expect.any(Number),
          scheme_guest: false,
          scheme_user: true,
          scheme_admin: false,
          explicit_roles: '',
          autotranslation_disabled: false,
        });
        const posts = await typesIn(open.id);
        expect(posts[0]).toBe('system_join_channel');
        const again = await add(member.client, open.id, { user_id: member.id });
        expect([again.status, again.body.user_id]).toEqual([201, member.id]);
        expect(await typesIn(open.id)).toEqual(posts);
      });
      expect(events).toEqual([new ChannelMemberAdded(open.id, member.id, member.id, team.id)]);
    });

    it('adds one or many users, and returns those who were added', async () => {
      const users = await Promise.all([buildTeamMember(server, team.id), buildTeamMember(server, team.id)]);
      const [a, b] = users.map((user) => user.id) as [string, string];
      const one = await add(owner.client, secret.id, { user_id: a });
      expect(one.body).toMatchObject({ user_id: a, last_viewed_at: -1, last_update_at: -1 });
      expect((await typesIn(secret.id))[0]).toBe('system_add_to_channel');
      const many = await add(owner.client, secret.id, { user_ids: [a, b, stranger.id] });
      expect([many.status, valuesOf(many, 'user_id')]).toEqual([201, [a, b]]);
      const single = await add(owner.client, open.id, { user_ids: [b] });
      expect(single.body).toHaveLength(1);
      expect((await users[0].client.get(`/channels/${secret.id}`)).status).toBe(200);
    });

    it('refuses users who are not in the team, have left it or are deactivated (55)', async () => {
      await refuses(
        add(owner.client, open.id, { user_id: stranger.id }),
        'app.team.get_member.missing.app_error',
        404,
      );
      const left = await buildTeamMember(server, team.id);
      await left.client.delete(`/teams/${team.id}/members/me`);
      await refuses(
        add(owner.client, open.id, { user_id: left.id }),
        'api.channel.add_user.to.channel.failed.deleted.app_error',
      );
      const off = await buildTeamMember(server, team.id);
      await admin.put(`/users/${off.id}/active`, { active: false });
      await refuses(
        add(owner.client, open.id, { user_id: off.id }),
        'app.channel.add_member.deleted_user.app_error',
        403,
      );
      await refuses(add(owner.client, open.id, { user_id: UNKNOWN }), 'app.user.missing_account.const', 404);
    });

    it('refuses invalid bodies and direct channels (57)', async () => {
      for (const body of [
        {},
        { user_id: 'junk' },
        { user_id: 5 },
        { user_ids: [] },
        { user_ids: ['junk'] },
        { user_ids: [5] },
        { user_ids: Array.from({ length: 1001 }, () => newId()) },
        { user_id: member.id, post_root_id: 'junk' },
      ]) {
        await refuses(add(owner.client, open.id, body));
      }
      const direct = await buildDirect(member.client, member.id, owner.id);
      await refuses(
        add(member.client, direct.id, { user_id: stranger.id }),
        'api.channel.add_user_to_channel.type.app_error',
      );
    });

    it('adds the same user only once when requests are concurrent, and adds many users concurrently', async () => {
      const users = await Promise.all(Array.from({ length: 4 }, () => buildTeamMember(server, team.id)));
      const ids = users.flatMap((user) => [user.id, user.id, user.id]);
      const events = await announcedBy(server, [ChannelMemberAdded], async () => {
        const answers = await Promise.all(ids.map((id) => add(owner.client, open.id, { user_id: id })));
        expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(201));
      });
      expect(events).toHaveLength(4);
      expect((await owner.client.get(`/channels/${open.id}/stats`)).body.member_count).toBe(5);
    });

    it('never leaves a user in a channel of a team that they just left', async () => {
      for (let round = 0; round < 8; round++) {
        const user = await buildTeamMember(server, team.id);
        await Promise.all([
          add(owner.client, open.id, { user_id: user.id }),
          owner.client.delete(`/teams/${team.id}/members/${user.id}`),
          add(owner.client, secret.id, { user_id: user.id }),
        ]);
        expect((await owner.client.get(`/channels/${open.id}/members/${user.id}`)).status).toBe(404);
        expect((await owner.client.get(`/channels/${secret.id}/members/${user.id}`)).status).toBe(404);
      }
    });

    it('shows members to those who can read the channel', async () => {
      await joinChannel(owner.client, secret.id, member.id);
      const ids = [owner.id, member.id].sort();
      const list = await member.client.get(`/channels/${secret.id}/members`);
      expect(valuesOf(list, 'user_id')).toEqual(ids);
      expect(rows(list.body).find((one: any) => one.user_id === owner.id)).toMatchObject({
        last_viewed_at: -1,
      });
      const page = await member.client.get(`/channels/${secret.id}/members?per_page=1&page=1`);
      expect(valuesOf(page, 'user_id')).toEqual(ids.slice(1));
      const chosen = await member.client.post(`/channels/${secret.id}/members/ids`, [owner.id, UNKNOWN]);
      expect([chosen.status, valuesOf(chosen, 'user_id')]).toEqual([200, [owner.id]]);
      expect((await member.client.post(`/channels/${secret.id}/members/ids`, [])).status).toBe(400);
      expect(
        (await member.client.get(`/channels/${secret.id}/members/me`)).body.last_update_at,
      ).toBeGreaterThan(0);
      await refuses(member.client.get(`/channels/${secret.id}/members/${stranger.id}`), MISSING_MEMBER, 404);
      const mine = await member.client.get(`/users/me/teams/${team.id}/channels/members`);
      expect(valuesOf(mine, 'channel_id')).toContain(secret.id);
      expect(rows(mine.body).every((one: any) => one.user_id === member.id && one.last_update_at > 0)).toBe(
        true,
      );
      const foreign = `/users/${owner.id}/teams/${team.id}/channels/members`;
      expect((await admin.get(foreign)).status).toBe(200);
    });

    it('lets members leave, except from the default channel (58)', async () => {
      await joinChannel(member.client, open.id, member.id);
      const remove = (client: ApiClient, id: string, userId: string) =>
        client.delete(`/channels/${id}/members/${userId}`);
      const events = await announcedBy(server, [ChannelMemberRemoved], async () => {
        const left = await remove(member.client, open.id, 'me');
        expect([left.status, left.body]).toEqual([200, { status: 'OK' }]);
        expect((await typesIn(open.id))[0]).toBe('system_leave_channel');
        await joinChannel(member.client, open.id, member.id);
        expect((await remove(owner.client, open.id, member.id)).status).toBe(200);
        expect((await typesIn(open.id))[0]).toBe('system_remove_from_channel');
      });
      expect(events).toEqual([
        new ChannelMemberRemoved(open.id, member.id, member.id, team.id),
        new ChannelMemberRemoved(open.id, member.id, owner.id, team.id),
      ]);
      await refuses(remove(member.client, open.id, member.id), MISSING_MEMBER, 404);
      await refuses(remove(owner.client, open.id, stranger.id), MISSING_MEMBER, 404);
      await refuses(remove(owner.client, open.id, UNKNOWN), 'app.user.missing_account.const', 404);
      await refuses(remove(member.client, townSquare.id, 'me'), 'api.channel.remove.default.app_error');
      const direct = await buildDirect(member.client, member.id, owner.id);
      await refuses(
        remove(member.client, direct.id, 'me'),
        'api.channel.remove_channel_member.type.app_error',
      );
    });

    it('changes read access at once', async () => {
      expect((await member.client.get(`/channels/${secret.id}`)).status).toBe(403);
      await joinChannel(owner.client, secret.id, member.id);
      expect((await member.client.get(`/channels/${secret.id}`)).status).toBe(200);
      await owner.client.delete(`/channels/${secret.id}/members/${member.id}`);
      expect((await member.client.get(`/channels/${secret.id}`)).status).toBe(403);
    });

    it('changes roles of members', async () => {
      await joinChannel(member.client, open.id, member.id);
      const base = `/channels/${open.id}/members/${member.id}`;
      const roles = (body: unknown, client = owner.client) => client.put(`${base}/roles`, body);
      const scheme = (body: unknown, client = owner.client) => client.put(`${base}/schemeRoles`, body);
      const rolesNow = async () => (await owner.client.get(base)).body.roles;
      const events = await announcedBy(server, [ChannelMemberUpdated], async () => {
        expect((await roles({ roles: 'channel_user channel_admin' })).body).toEqual({ status: 'OK' });
        expect(await rolesNow()).toBe('channel_user channel_admin');
        expect((await scheme({ scheme_user: true, scheme_admin: false })).body).toEqual({ status: 'OK' });
        expect(await rolesNow()).toBe('channel_user');
      });
      expect(events).toEqual(Array(2).fill(new ChannelMemberUpdated(open.id, member.id)));
      for (const body of [{}, { roles: 5 }, { roles: 'Bad!' }, { roles: 'system_admin' }])
        await refuses(roles(body));
      await refuses(roles({ roles: 'channel_user nope' }), 'app.role.check_roles_exist.role_not_found');
      await refuses(
        roles({ roles: 'team_admin' }),
        'api.channel.update_channel_member_roles.scheme_role.app_error',
      );
      await refuses(
        scheme({ scheme_user: false, scheme_admin: false }),
        'api.channel.update_channel_member_roles.unset_user_scheme.app_error',
      );
      expect((await scheme({ scheme_user: 1, scheme_admin: true })).status).toBe(400);
      const missing = `/channels/${open.id}/members/${stranger.id}`;
      expect((await owner.client.put(`${missing}/roles`, { roles: 'channel_user' })).status).toBe(404);
      const flags = { scheme_user: true, scheme_admin: true };
      expect((await owner.client.put(`${missing}/schemeRoles`, flags)).status).toBe(404);
    });

    it('changes notification settings of the caller', async () => {
      await joinChannel(member.client, open.id, member.id);
      const path = `/channels/${open.id}/members/${member.id}/notify_props`;
      const put = (body: unknown, client = member.client) => client.put(path, body);
      const changed = await put({
        desktop: 'mention',
        mark_unread: 'mention',
        user_id: member.id,
        junk: 'x',
      });
      expect([changed.status, changed.body]).toEqual([200, { status: 'OK' }]);
      const props = (await member.client.get(`/channels/${open.id}/members/me`)).body.notify_props;
      expect(props).toMatchObject({ desktop: 'mention', mark_unread: 'mention', push: 'default' });
      expect(props).not.toHaveProperty('junk');
      expect(props).not.toHaveProperty('user_id');
      await refuses(put({ desktop: 'loud' }), 'model.channel_member.is_valid.notify_level.app_error');
      for (const body of [[], 'x', null, { desktop: 5 }]) expect((await put(body)).status).toBe(400);
      expect((await admin.put(path, { desktop: 'all' })).status).toBe(200);
      expect((await member.client.put(`/channels/${secret.id}/members/me/notify_props`, {})).status).toBe(
        404,
      );
    });

    it('marks channels as seen', async () => {
      const reader = await buildTeamMember(server, team.id);
      await joinChannel(reader.client, open.id, reader.id);
      const unread = async () =>
        rows((await reader.client.get('/users/me/teams/unread')).body).find(
          (one: any) => one.team_id === team.id,
        );
      const view = (body: unknown, client = reader.client, id = 'me') =>
        client.post(`/channels/members/${id}/view`, body);
      await view({ channel_id: townSquare.id, prev_channel_id: open.id });
      const before = await unread();
      const post = (
        await owner.client.post('/posts', { channel_id: open.id, message: `@${reader.username} hi` })
      ).body;
      expect(await unread()).toEqual({
        team_id: team.id,
        msg_count: before.msg_count + 1,
        mention_count: before.mention_count + 1,
        mention_count_root: before.mention_count_root + 1,
        msg_count_root: before.msg_count_root + 1,
        thread_count: 0,
        thread_mention_count: 0,
        thread_urgent_mention_count: 0,
      });
      let seen!: Answer;
      const events = await announcedBy<ChannelViewed>(server, [ChannelViewed], async () => {
        seen = await view({ channel_id: open.id, prev_channel_id: '' });
        expect((await view({ channel_id: secret.id })).body).toEqual({
          status: 'OK',
          last_viewed_at_times: {},
        });
        expect((await view({})).body).toEqual({ status: 'OK', last_viewed_at_times: {} });
      });
      expect(seen.status).toBe(200);
      expect(seen.body).toEqual({ status: 'OK', last_viewed_at_times: { [open.id]: post.create_at } });
      expect(events).toEqual([new ChannelViewed(reader.id, { [open.id]: post.create_at })]);
      expect(await unread()).toEqual(before);
      expect((await reader.client.get(`/channels/${open.id}/members/me`)).body).toMatchObject({
        last_viewed_at: post.create_at,
        mention_count: 0,
        msg_count: (await reader.client.get(`/channels/${open.id}`)).body.total_msg_count,
      });
      for (const body of [{ channel_id: 'junk' }, { prev_channel_id: 'junk' }, { channel_id: 5 }]) {
        const answer = await view(body);
        expectError(answer, 400, INVALID);
        expect(answer.body.message).toMatch(/channel_id/);
      }
      const excluded = await reader.client.get(`/users/me/teams/unread?exclude_team=${team.id}`);
      expect(excluded.body).toEqual([]);
    });
  });

  describe('unread messages', () => {
    const NONE = { msg_count: 0, msg_count_root: 0, mention_count: 0, mention_count_root: 0 };
    const inChannelOf = (client: ApiClient, id: string, user = 'me') =>
      client.get(`/users/${user}/channels/${id}/unread`);
    const inTeamOf = (client: ApiClient, id: string, user = 'me') =>
      client.get(`/users/${user}/teams/${id}/unread`);

    it('are counted in a channel and in its team', async () => {
      const reader = await buildTeamMember(server, team.id);
      const isolated = await buildChannel(owner.client, team.id);
      await joinChannel(reader.client, isolated.id, reader.id);
      await reader.client.post('/channels/members/me/view', { channel_id: isolated.id });
      const before = (await inTeamOf(reader.client, team.id)).body;
      const root = await owner.client.post('/posts', {
        channel_id: isolated.id,
        message: `@${reader.username} hi`,
      });
      await owner.client.post('/posts', {
        channel_id: isolated.id,
        root_id: root.body.id,
        message: 'a reply',
      });
      expect((await inChannelOf(reader.client, isolated.id)).body).toEqual({
        team_id: team.id,
        channel_id: isolated.id,
        msg_count: 2,
        msg_count_root: 1,
        mention_count: 1,
        mention_count_root: 1,
        urgent_mention_count: 0,
      });
      expect((await inTeamOf(reader.client, team.id)).body).toEqual({
        ...before,
        team_id: team.id,
        msg_count: before.msg_count + 2,
        msg_count_root: before.msg_count_root + 1,
        mention_count: before.mention_count + 1,
        mention_count_root: before.mention_count_root + 1,
      });
      await reader.client.put(`/channels/${isolated.id}/members/me/notify_props`, { mark_unread: 'mention' });
      expect((await inChannelOf(reader.client, isolated.id)).body).toMatchObject({
        msg_count: 0,
        mention_count: 1,
      });
      await reader.client.post('/channels/members/me/view', { channel_id: isolated.id });
      expect((await inChannelOf(reader.client, isolated.id)).body).toMatchObject(NONE);
      expect((await inTeamOf(reader.client, team.id)).body).toEqual(before);
    });

    it('of a direct channel are counted there, and in no team', async () => {
      const [reader, writer] = [
        await buildTeamMember(server, team.id),
        await buildTeamMember(server, team.id),
      ];
      const before = (await inTeamOf(reader.client, team.id)).body;
      const { id } = (await writer.client.post('/channels/direct', [reader.id, writer.id])).body;
      await writer.client.post('/posts', { channel_id: id, message: 'hi' });
      expect((await inChannelOf(reader.client, id)).body).toMatchObject({
        team_id: '',
        channel_id: id,
        msg_count: 1,
        mention_count: 1,
      });
      expect((await inTeamOf(reader.client, team.id)).body).toEqual(before);
    });

    it('are 404 without a membership, even for administrators', async () => {
      await refuses(inChannelOf(admin, open.id), MISSING_MEMBER, 404);
      expect((await inChannelOf(admin, open.id, owner.id)).status).toBe(200);
      expect((await inTeamOf(admin, team.id, owner.id)).status).toBe(200);
    });
  });

  describe('limits', () => {
    const FULL = 'api.channel.add_user.max_channels.app_error';
    /** The responses to simultaneous calls, and the only refusal among them when they are repeated. */
    const statusesOf = async (calls: readonly Promise<Answer>[]) =>
      (await Promise.all(calls)).map(({ status }) => status).sort();
    const oneRefusal = async (calls: readonly Promise<Answer>[]) =>
      (await Promise.all(calls)).find(({ status }) => status === 400)!;
    const times = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, index) => make(index));
    const add = ({ id }: any, user: BuiltUser, by = owner.client) =>
      by.post(`/channels/${id}/members`, { user_id: user.id });
    const addToTeam = ({ id }: any, user: BuiltUser, by = owner.client) =>
      by.post(`/teams/${id}/members`, { team_id: id, user_id: user.id });
    const create = (by: ApiClient, teamId = team.id) =>
      by.post('/channels', { team_id: teamId, name: channelName(), display_name: 'One more', type: 'P' });
    const direct = (from: BuiltUser, to: BuiltUser) => from.client.post('/channels/direct', [from.id, to.id]);
    const group = (from: BuiltUser, ...others: BuiltUser[]) =>
      from.client.post('/channels/group', [from.id, ...others.map(({ id }) => id)]);
    const channelsOf = async ({ client }: BuiltUser) => rows((await client.get('/users/me/channels')).body);
    const teamsOf = async ({ client }: BuiltUser) => rows((await client.get('/users/me/teams')).body);
    const users = (count: number) => Promise.all(times(count, () => buildUser(server)));

    it('limits the channels of a user, no matter who adds them, even under concurrency', async () => {
      const person = await buildTeamMember(server, team.id); // in two channels
      const channels = await Promise.all(times(6, () => buildChannel(owner.client, team.id)));
      await server.withSettings({ maxChannelsPerUser: 4 }, async () => {
        const join = (channel: any) => add(channel, person, admin);
        expect(await statusesOf(channels.map(join))).toEqual([201, 201, 400, 400, 400, 400]);
        expectError(await oneRefusal(channels.map(join)), 400, FULL, '4 channels');
        expectError(await direct(owner, person), 400, FULL);
        expectError(await create(person.client), 400, FULL);
        expect(await channelsOf(person)).toHaveLength(4);
      });
      await server.withSettings({ maxChannelsPerUser: 1 }, async () => {
        const ids = channels.map(({ id }) => id);
        const { id } = (await channelsOf(person)).find((channel) => ids.includes(channel.id));
        const changed = await person.client.put(`/channels/${id}/patch`, { header: 'Still here' });
        expect(changed.status).toBe(200);
        expect((await person.client.delete(`/channels/${id}/members/${person.id}`)).status).toBe(200);
      });
    });

    it('reserves half of the channels of a user for the user, even under concurrency', async () => {
      const person = await buildTeamMember(server, team.id); // in two channels
      const channels = await Promise.all(times(3, () => buildChannel(owner.client, team.id)));
      await server.withSettings({ maxChannelsPerUser: 6 }, async () => {
        const addAll = () => Promise.all(channels.map((channel) => add(channel, person)));
        expect((await addAll()).map(({ status }) => status).sort()).toEqual([201, 400, 400]);
        const answers = await addAll();
        const [one, two] = channels.filter((_, index) => answers[index]!.status === 400);
        expectError(
          await add(one, person),
          400,
          'api.channel.add_user.max_by_others.app_error',
          '3 channels',
        );
        expect((await add(one, person, person.client)).status).toBe(201);
        expect((await add(two, person, admin)).status).toBe(201);
      });
      const elsewhere = await buildTeam(owner.client);
      await server.withSettings({ maxChannelsPerUser: 8 }, async () => {
        expect((await addToTeam(elsewhere, person)).status).toBe(201);
        expect(await channelsOf(person)).toHaveLength(7);
      });
    });

    it('limits the channels of a team, even under concurrency', async () => {
      const full = await buildTeam(owner.client);
      const { manager } = server.app.get(DataSource);
      const model = await manager.findOneByOrFail(Channel, { teamId: full.id });
      const others = times(1_996, (): Channel => ({ ...model, id: newId(), name: `c${newId()}` }));
      for (const some of [others.slice(0, 998), others.slice(998)]) await insertRows(manager, Channel, some); // SQLite accepts no more values at once
      const calls = times(5, () => create(owner.client, full.id));
      expect(await statusesOf(calls)).toEqual([201, 201, 400, 400, 400]);
      const MANY = 'api.channel.create_channel.max_channel_limit.app_error';
      expectError(await create(owner.client, full.id), 400, MANY, '2000');
    });

    it('limits the channels that a user creates in a team, even under concurrency', async () => {
      const [person, other] = [
        await buildTeamMember(server, team.id),
        await buildTeamMember(server, team.id),
      ];
      await server.withSettings({ maxChannelsPerCreator: 2 }, async () => {
        const answers = await Promise.all(times(4, () => create(person.client)));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
        const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
        await person.client.call('DELETE', `/channels/${made[0]}/members/${person.id}`);
        const MANY = 'api.channel.create_channel.max_own_channels.app_error';
        expectError(await create(person.client), 400, MANY, '2 channels');
        for (const by of [admin, owner.client, owner.client, owner.client, other.client])
          expect((await create(by)).status).toBe(201);
        expect((await person.client.delete(`/channels/${made[1]}`)).status).toBe(200);
        expect((await create(person.client)).status).toBe(201);
      });
    });

    it('limits the group channels that a user starts, even under concurrency', async () => {
      const [person, one, two, three] = (await users(4)) as [BuiltUser, BuiltUser, BuiltUser, BuiltUser];
      await server.withSettings({ maxGroupsPerUser: 1 }, async () => {
        const calls = () => [group(person, one, two), group(person, two, three), group(person, one, three)];
        expect(await statusesOf(calls())).toEqual([201, 400, 400]);
        const refused = await oneRefusal(calls());
        expectError(refused, 400, 'api.channel.create_group.max_groups.app_error', '1 group');
      });
    });

    it('reserves room for channels that the user starts, even under concurrency', async () => {
      const BY_OTHERS = 'api.channel.create_direct_channel.max_by_others.app_error';
      const [person, one, two, three, ...others] = (await users(8)) as [
        BuiltUser,
        BuiltUser,
        BuiltUser,
        BuiltUser,
      ];
      await server.withSettings({ maxChannelsPerUser: 8 }, async () => {
        const groups = () => others.map((other, i) => group(i % 2 === 0 ? one : two, person, other));
        expect(await statusesOf(groups())).toEqual([201, 201, 400, 400]);
        expectError(await oneRefusal(groups()), 400, BY_OTHERS, '2 group channels');
        const directs = () => [one, two, three].map((user) => direct(user, person));
        expect(await statusesOf(directs())).toEqual([201, 201, 400]);
        const begun = await Promise.all(directs());
        const last = [one, two, three].find((_, i) => begun[i]!.status === 400)!;
        expectError(await direct(last, person), 400, BY_OTHERS, '4 direct and group');
        expect((await group(person, one, two)).status).toBe(201);
        expect((await direct(person, last)).status).toBe(201);
        await joinTeam(server, team.id, person.id); // two default channels
        expect(await channelsOf(person)).toHaveLength(8);
      });
    });

    it('limits the teams of a user, and reserves half of them for the user, even under concurrency', async () => {
      const person = await buildUser(server);
      const teams = await Promise.all(times(5, () => buildTeam(owner.client)));
      await server.withSettings({ maxTeamsPerUser: 4 }, async () => {
        const answers = await Promise.all(teams.map((one) => addToTeam(one, person)));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400]);
        const [one, ...left] = teams.filter((_, index) => answers[index]!.status === 400);
        const BY_OTHERS = 'app.team.join_user_to_team.max_by_others.app_error';
        expectError(await addToTeam(one, person), 400, BY_OTHERS, '2 teams');
        const invited = await person.client.post(`/teams/members/invite?invite_id=${one.invite_id}`);
        expect(invited.status).toBe(201);
        const join = () => left.map((other) => addToTeam(other, person, admin));
        expect(await statusesOf(join())).toEqual([201, 400]);
        const FULL_OF_TEAMS = 'app.team.join_user_to_team.max_teams.app_error';
        expectError(await oneRefusal(join()), 400, FULL_OF_TEAMS, '4 teams');
        expect(await teamsOf(person)).toHaveLength(4);
      });
    });

    it('limits the teams that a user creates, including left and archived ones, even under concurrency', async () => {
      const person = await buildUser(server);
      const make = () => person.client.post('/teams', { name: teamName(), display_name: 'Own', type: 'O' });
      await server.withSettings({ maxTeamsPerUser: 3 }, async () => {
        const [left, archived] = [await make(), await make()];
        expect(archived.body).not.toHaveProperty('creator_id');
        await person.client.delete(`/teams/${archived.body.id}`);
        for (const { body } of [archived, left])
          await person.client.delete(`/teams/${body.id}/members/${person.id}`);
        expect(await teamsOf(person)).toEqual([]);
        expect(await statusesOf([make(), make(), make()])).toEqual([201, 400, 400]);
        expectError(await make(), 400, 'api.team.create_team.max_own_teams.app_error', '3 teams');
        await joinTeam(server, (await buildTeam(admin)).id, person.id); // what others create does not count
      });
    });

    it('limits the texts in a list without losing a channel', async () => {
      const person = await buildUser(server);
      const { manager } = server.app.get(DataSource);
      const { id: directId } = (await direct(person, owner)).body;
      const model = await manager.findOneByOrFail(Channel, { id: directId });
      const membership = await manager.findOneByOrFail(ChannelMember, { userId: person.id });
      const header = '\u0001'.repeat(1_024);
      const channels = times(1_500, (): Channel => {
        const id = newId();
        return { ...model, id, name: `${id}__${id}`, header };
      });
      await insertRows(manager, Channel, channels);
      const memberships = channels.map(({ id }) => ({ ...membership, channelId: id }));
      await insertRows(manager, ChannelMember, memberships);
      const answer = await person.client.get('/users/me/channels');
      const headers = valuesOf(answer, 'header');
      expect(headers).toHaveLength(1_501);
      expect(headers.filter((text) => text === header).length).toBeGreaterThan(1_000);
      expect(headers.filter((text) => text === '').length).toBeGreaterThan(100);
      expect(answer.text.length).toBeLessThan(12 * 1024 * 1024);
      const hidden = rows(answer.body).find((channel) => channel.header === '' && channel.id !== directId);
      expect((await person.client.get(`/channels/${hidden.id}`)).body.header).toBe(header);
    });
  });
});
