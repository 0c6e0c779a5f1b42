import { json, Receiver } from './fakes/receiver.js';
import { idOf, readDump, readFacts, SourceDatabase, THEN } from './import/source-database.mjs';
import { ImportTarget, type Report } from './import/target.js';
import { ApiClient } from './support/api-client.mjs';
import type { ServerProcess } from './support/server-process.mjs';
import { learnSecret } from './support/secrets.mjs';
import { eventually } from './support/test-server.js';

const facts = readFacts();
const passwordOf = (name: string): string => facts.users.find((user: any) => user.username === name).password;
/** The port of the callback URLs in the dump. */
const PORT = '19699';

/** A connection that was confirmed. */
const connection = (SiteURL: string) => ({
  ...{ RemoteId: idOf('peer'), Name: 'peer', DisplayName: 'Peer', SiteURL, CreateAt: THEN, Topics: '' },
  ...{
    Token: idOf('token of the peer'),
    RemoteToken: idOf('token for the peer'),
    CreatorId: facts.users[0].id,
  },
});

/** docs/moving.md */
describe('the database of a server of version 5.37', () => {
  let receiver: Receiver;
  let peer: Receiver;
  let source: SourceDatabase;
  let target: ImportTarget;
  let report: Report;
  let dryRun: Report | undefined;
  let server: ServerProcess;
  let admin: ApiClient;

  beforeAll(async () => {
    for (const { password } of facts.users) learnSecret('password', password);
    for (const { token } of [...facts.tokens, ...facts.outgoing, ...facts.bots]) learnSecret('token', token);
    for (const { id } of facts.incoming) learnSecret('id of an incoming webhook', id);
    receiver = await Receiver.start();
    peer = await Receiver.start(json({ status: 'OK', err: '', payload: {} }));
    source = await SourceDatabase.open();
    await source.load(readDump().replaceAll(`127.0.0.1:${PORT}`, new URL(receiver.origin).host));
    await source.rows('INSERT INTO RemoteClusters SET ?', [connection(peer.origin)]);
    unsent = await shareBehind();
    target = await ImportTarget.open();
    dryRun = (await target.run(['mattermost', source.url, '--dry-run', '--json', '--sessions'])).report;
    hadTables = await target.hasTables();
    report = await target.import(source.url, '--sessions');
    await start();
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await target?.close();
    await source?.close();
    await receiver?.close();
    await peer?.close();
  });
  let hadTables: boolean;
  let unsent: string[];

  /** Shares a channel whose last two messages were not sent. Returns their ids. */
  async function shareBehind(): Promise<string[]> {
    const plain = "DeleteAt = 0 AND OriginalId = '' AND Type = ''";
    const [{ ChannelId }] = await source.rows(
      `SELECT ChannelId FROM Posts WHERE ${plain} AND RootId = '' GROUP BY ChannelId ORDER BY COUNT(*) DESC LIMIT 1`,
    );
    const posts = await source.rows(
      `SELECT Id, UpdateAt FROM Posts WHERE ${plain} AND ChannelId = ? ORDER BY UpdateAt, Id`,
      [ChannelId],
    );
    const sent = posts.at(-3);
    const later = posts.filter(({ UpdateAt }) => UpdateAt > sent.UpdateAt);
    const [{ TeamId }] = await source.rows('SELECT TeamId FROM Channels WHERE Id = ?', [ChannelId]);
    const common = { ChannelId, CreatorId: facts.users[0].id, CreateAt: THEN - 1e12, UpdateAt: THEN };
    const share = { RemoteId: idOf('peer'), LastPostUpdateAt: sent.UpdateAt, LastPostId: sent.Id };
    await source.rows('INSERT INTO SharedChannels SET ?', [
      { ...common, TeamId, Home: 1, ReadOnly: 0, ShareName: 'shared', ShareDisplayName: 'Shared' },
    ]);
    await source.rows('INSERT INTO SharedChannelRemotes SET ?', [
      { ...common, ...share, Id: idOf('share'), IsInviteAccepted: 1, IsInviteConfirmed: 1 },
    ]);
    return later.map(({ Id }) => Id);
  }

  async function start(): Promise<void> {
    server = await target.start({ OUTGOING_SCHEDULE: '0s,100ms', PEER_PING_INTERVAL: '200ms' });
    admin = (await signIn('root.admin'))!;
  }
  const signIn = (name: string, password = passwordOf(name)) =>
    new ApiClient(server.url).login(name, password);
  const messages = async (channelId: string): Promise<any[]> =>
    Object.values((await admin.call('GET', `/channels/${channelId}/posts?per_page=200`)).posts);
  const live = (table: string) => source.rows(`SELECT * FROM ${table} WHERE DeleteAt = 0`);

  it('is imported completely', async () => {
    expect(report).toMatchObject({ dry_run: false, verified: true });
    for (const { table, read, moved, left } of report.tables)
      expect([table, read, moved]).toEqual([table, await source.count(table), read - left]);
    expect(report.checks.length).toBeGreaterThan(8);
    for (const { expected, found, differences } of report.checks)
      expect([found, differences]).toEqual([expected, []]);
    expect(report.checks.find(({ table }) => table === 'Posts')!.sampled).toBeGreaterThan(10);
  });

  it('has the same report in a dry run, which writes nothing', () => {
    expect(hadTables).toBe(false);
    expect(dryRun).toMatchObject({ dry_run: true, not_moved: report.not_moved });
    expect(dryRun!.tables.map(({ table, read, moved }) => [table, read, moved])).toEqual(
      report.tables.map(({ table, read, moved }) => [table, read, moved]),
    );
  });

  it('lets everybody sign in with their password, but not those who were deactivated', async () => {
    for (const { id, username, password, active = true } of facts.users) {
      const client = await signIn(username, password);
      expect([username, client !== undefined]).toEqual([username, active]);
      if (client) expect((await client.get('/users/me')).body.id).toBe(id);
      expect(await signIn(username, 'another password')).toBeUndefined();
    }
    const hashes = await target.rows('SELECT password_hash FROM users WHERE is_bot = 0 AND delete_at = 0');
    for (const { password_hash: hash } of hashes) expect(hash).toMatch(/^\$argon2id\$/);
  });

  it('accepts the same tokens and sessions', async () => {
    const { users, tokens, bots, sessions } = facts;
    const idByName = Object.fromEntries([...users, ...bots].map(({ id, username }: any) => [username, id]));
    for (const { token, user, active } of tokens) {
      const { status, body } = await new ApiClient(server.url, token).get('/users/me');
      expect([user, status, active ? body.id : 0]).toEqual([
        user,
        active ? 200 : 401,
        active ? idByName[user] : 0,
      ]);
    }
    for (const { id, token } of bots)
      expect((await new ApiClient(server.url, token).get('/users/me')).body).toMatchObject({
        id,
        is_bot: true,
      });
    for (const [name, token] of Object.entries<string>(sessions))
      expect((await new ApiClient(server.url, token).get('/users/me')).body.id).toBe(idByName[name]);
  });

  it('posts through every incoming webhook at its former URL', async () => {
    const hooks = await live('IncomingWebhooks');
    expect(hooks.length).toBeGreaterThan(6);
    for (const { Id, ChannelId, Username } of hooks) {
      const text = `Posted to ${ChannelId} by webhook ${hooks.findIndex((hook) => hook.Id === Id)}`;
      const { status, text: answer } = await new ApiClient(server.url).post(`/hooks/${Id}`, { text });
      expect([status, answer]).toEqual([200, 'ok']);
      const post = (await messages(ChannelId)).find(({ message }) => message === text);
      expect(post.props).toMatchObject({
        from_webhook: 'true',
        ...(Username && { override_username: Username }),
      });
    }
  });

  it('refuses calls of incoming webhooks that were deleted', async () => {
    const deleted = await source.rows('SELECT Id FROM IncomingWebhooks WHERE DeleteAt > 0');
    expect(deleted.map(({ Id }) => Id)).toContain(facts.incoming.find((hook: any) => hook.deleted).id);
    for (const { Id } of deleted)
      expect((await new ApiClient(server.url).post(`/hooks/${Id}`, { text: 'x' })).status).toBe(400);
  });

  it('calls the same URLs with the same tokens for the same words', async () => {
    const hooks = await live('OutgoingWebhooks');
    expect(hooks.length).toBe(6);
    const expected: string[][] = [];
    for (const { Id, TeamId, ChannelId, TriggerWhen, Token, TriggerWords, CallbackURLs } of hooks) {
      const channelId =
        ChannelId || (await admin.call('GET', `/teams/${TeamId}/channels/name/town-square`)).id;
      const [word = ''] = JSON.parse(TriggerWords);
      const fires = word === '' ? ['anything'] : [word, `${word} now`, `${word}\nnow`];
      const others = [`please ${word}`];
      (TriggerWhen === 1 ? fires : others).push(`${word}ment at once`);
      const hook = await admin.call('GET', `/hooks/outgoing/${Id}`);
      expect(hook).toMatchObject({ token: Token, trigger_when: TriggerWhen === 1 ? 1 : 2 });
      for (const message of word === '' ? fires : [...others, ...fires])
        await admin.call('POST', '/posts', { channel_id: channelId, message });
      for (const url of JSON.parse(CallbackURLs))
        for (const text of fires) expected.push([new URL(url).pathname, Token, word, text]);
    }
    await eventually(() => receiver.calls.length >= expected.length);
    const received = receiver.calls.map(({ path, body, headers }) => {
      const isJson = headers['content-type']?.includes('json');
      const {
        token,
        trigger_word: word,
        text,
      } = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
      return [path, token, word, text];
    });
    expect(received.sort()).toEqual(expected.sort());
  });

  it('has the same members, channels and bots', async () => {
    const pairs = (rows: any[]) => rows.map((row) => Object.values(row).join(' ')).sort();
    const there = await source.rows('SELECT ChannelId, UserId, SchemeAdmin FROM ChannelMembers');
    const here = await target.rows('SELECT channel_id, user_id, scheme_admin FROM channel_members');
    expect(pairs(here)).toEqual(
      pairs(there.map(({ SchemeAdmin, ...rest }) => ({ ...rest, SchemeAdmin: SchemeAdmin ?? 0 }))),
    );
    for (const { Id, Type, Name } of await source.rows("SELECT * FROM Channels WHERE Type = 'D'")) {
      expect(Type).toBe('D');
      const found = await admin.post('/channels/direct', Name.split('__'));
      expect([found.status, found.body.id]).toEqual([201, Id]);
    }
    const [group] = await source.rows("SELECT Id FROM Channels WHERE Type = 'G'");
    const members = await source.rows('SELECT UserId FROM ChannelMembers WHERE ChannelId = ?', [group.Id]);
    const made = await admin.post(
      '/channels/group',
      members.map(({ UserId }) => UserId),
    );
    expect([made.status, made.body.id]).toEqual([201, group.Id]);
    for (const { UserId, OwnerId, Description } of await source.rows('SELECT * FROM Bots'))
      expect(await admin.call('GET', `/bots/${UserId}`)).toMatchObject({
        owner_id: OwnerId,
        description: Description,
      });
  });

  it('shows threads, edits and deletions as they were', async () => {
    const posts = await source.rows("SELECT * FROM Posts WHERE OriginalId = '' ORDER BY CreateAt DESC");
    const visible = posts.filter(({ DeleteAt }) => DeleteAt === 0);
    const stored = await target.rows(
      "SELECT id, message, edit_at, root_id FROM posts WHERE original_id = ''",
    );
    const byId = new Map(stored.map((row) => [row['id'], row]));
    for (const { Id, Message, EditAt, RootId } of visible)
      expect(byId.get(Id)).toMatchObject({ message: Message, edit_at: EditAt, root_id: RootId });
    const roots = [...new Set(visible.map(({ RootId }) => RootId).filter(Boolean))];
    expect(roots.length).toBeGreaterThan(5);
    for (const root of roots.slice(0, 20)) {
      const replies = visible.filter(({ RootId }) => RootId === root).map(({ Id }) => Id);
      const { order, posts: thread } = await admin.call('GET', `/posts/${root}/thread`);
      expect([...order].sort()).toEqual([root, ...replies].sort());
      expect(thread[root].reply_count).toBe(replies.length);
    }
    const deleted = posts.filter(({ DeleteAt }) => DeleteAt > 0);
    expect(deleted.length).toBeGreaterThan(2);
    for (const { Id } of deleted) expect((await admin.get(`/posts/${Id}`)).status).toBe(404);
    expect(posts.filter(({ EditAt }) => EditAt > 0).length).toBeGreaterThan(2);
  });

  it('finds imported messages', async () => {
    const [post] = await source.rows(
      "SELECT p.* FROM Posts p JOIN Channels c ON c.Id = p.ChannelId WHERE c.TeamId <> '' AND c.DeleteAt = 0 AND p.Type = '' AND p.DeleteAt = 0 AND p.Message REGEXP '[a-z]{6}' LIMIT 1",
    );
    const [word] = /[a-z]{6,}/.exec(post.Message)!;
    const [{ TeamId }] = await source.rows('SELECT TeamId FROM Channels WHERE Id = ?', [post.ChannelId]);
    const found = await admin.call('POST', `/teams/${TeamId}/posts/search`, {
      terms: word,
      is_or_search: false,
    });
    expect(found.order.length).toBeGreaterThan(0);
  });

  it('keeps the changed permissions of roles', async () => {
    const role = await admin.call('GET', '/roles/name/team_user');
    expect(role.permissions).toContain('manage_incoming_webhooks');
    const ann = (await signIn('ann.lee'))!;
    const { id, channel } = facts.incoming.find((hook: any) => hook.owner === 'ann.lee');
    expect([(await ann.get(`/hooks/incoming/${id}`)).status, channel]).toEqual([200, 'alerts']);
  });

  it('goes on with the peer of a connection, with the same tokens', async () => {
    const { RemoteId, Token, RemoteToken } = connection(peer.origin);
    const { headers, body } = await eventually(() => peer.callsTo('/api/v4/remotecluster/ping')[0]);
    expect([headers['x-remotecluster-id'], headers['x-remotecluster-token']]).toEqual([
      RemoteId,
      RemoteToken,
    ]);
    const ping = (token: string) =>
      new ApiClient(server.url).post('/remotecluster/ping', JSON.parse(body), {
        headers: { 'x-remotecluster-id': RemoteId, 'x-remotecluster-token': token },
      });
    expect((await ping(Token)).status).toBe(200);
    expect((await ping(RemoteToken)).status).toBe(401);
  });

  it('sends the peer what the old server had not sent, once', async () => {
    const sent = (): string[] =>
      peer
        .callsTo('/api/v4/remotecluster/msg')
        .flatMap(({ body }) => unsent.filter((id) => body.includes(id)));
    await eventually(() => sent().length >= unsent.length || undefined);
    await server.stop();
    await start();
    const [hook] = facts.incoming;
    expect((await new ApiClient(server.url).post(`/hooks/${hook.id}`, { text: 'after it' })).status).toBe(
      200,
    );
    expect(unsent.length).toBeGreaterThan(0);
    expect(sent()).toEqual(unsent);
  });

  it('logs no error', () => {
    expect(server.errors).toEqual([]);
  });

  it('brings only what is new in a second run, and leaves what was written here', async () => {
    const [kept] = await source.rows(
      "SELECT * FROM Posts WHERE DeleteAt = 0 AND OriginalId = '' AND Type = '' LIMIT 1",
    );
    const [edited, deleted] = await source.rows(
      "SELECT * FROM Posts WHERE DeleteAt = 0 AND OriginalId = '' AND Type = '' AND RootId = '' AND Id <> ? LIMIT 2",
      [kept.Id],
    );
    const here = await admin.call('POST', '/posts', { channel_id: kept.ChannelId, message: 'written here' });
    await server.stop();
    const now = Date.now();
    const added = { ...kept, Id: idOf('added'), CreateAt: now, UpdateAt: now, Message: 'added there' };
    await source.rows('INSERT INTO Posts SET ?', [added]);
    await source.rows('UPDATE Posts SET Message = ?, EditAt = ?, UpdateAt = ? WHERE Id = ?', [
      'edited there',
      now,
      now,
      edited.Id,
    ]);
    await source.rows('UPDATE Posts SET DeleteAt = ?, UpdateAt = ? WHERE Id = ?', [now, now, deleted.Id]);
    const [hook, goneHook] = await live('IncomingWebhooks');
    const end = [now, now, goneHook.Id];
    await source.rows('UPDATE IncomingWebhooks SET DeleteAt = ?, UpdateAt = ? WHERE Id = ?', end);
    const [{ token: goneToken, id: goneTokenId }] = facts.tokens;
    await source.rows('DELETE FROM UserAccessTokens WHERE Id = ?', [goneTokenId]);
    const [member] = await source.rows('SELECT * FROM ChannelMembers WHERE SchemeAdmin = 0 LIMIT 1');
    const ofMember = [member.ChannelId, member.UserId];
    await source.rows('DELETE FROM ChannelMembers WHERE ChannelId = ? AND UserId = ?', ofMember);
    await source.rows('INSERT INTO IncomingWebhooks SET ?', [
      { ...hook, Id: idOf('new hook'), CreateAt: now },
    ]);
    const posts = await target.count('posts');
    const second = await target.import(source.url, '--sessions');
    expect(second.verified).toBe(true);
    expect(await target.count('posts')).toBe(posts + 1);
    const row = async (id: string) => (await target.rows('SELECT * FROM posts WHERE id = ?', [id]))[0];
    expect(await row(added.Id)).toMatchObject({ message: 'added there', delete_at: 0 });
    expect(await row(edited.Id)).toMatchObject({ message: 'edited there', edit_at: now });
    expect(await row(deleted.Id)).toMatchObject({ delete_at: now });
    expect(await row(here.id)).toMatchObject({ message: 'written here' });
    await start();
    const answer = await new ApiClient(server.url).post(`/hooks/${idOf('new hook')}`, {
      text: 'from the new one',
    });
    expect(answer.text).toBe('ok');
    expect((await new ApiClient(server.url).post(`/hooks/${goneHook.Id}`, { text: 'x' })).status).toBe(400);
    expect((await new ApiClient(server.url, goneToken).get('/users/me')).status).toBe(401);
    const [memberships] = await target.rows(
      'SELECT COUNT(*) AS n FROM channel_members WHERE channel_id = ? AND user_id = ?',
      ofMember,
    );
    expect(Number(memberships!['n'])).toBe(0);
    expect((await messages(added.ChannelId)).map(({ message }) => message)).toContain('added there');
  });
});
