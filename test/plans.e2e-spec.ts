import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { DataSource, type Logger } from 'typeorm';
import { LanesReadModel } from '../src/delivery/dispatch/lanes.read-model.js';
import { DeliveriesService } from '../src/delivery/dispatch/deliveries.service.js';
import { DeliverySearchService } from '../src/delivery/dispatch/delivery-search.service.js';
import { IncomingHooksService } from '../src/incoming-hooks/incoming-hooks.service.js';
import { RequestKeeper } from '../src/incoming-hooks/kept-requests/request-keeper.js';
import { PauseWatch } from '../src/outgoing-hooks/pausing/pause-watch.js';
import { StatementConnection } from '../src/platform/database/commits/statement-connection.js';
import { Purge } from '../src/platform/database/purge.js';
import { SqliteDatabase } from '../src/platform/database/sqlite/sqlite-database.js';
import { newId } from '../src/platform/common/ids.js';
import { SharedChannelRemote } from '../src/shared-channels/shared-channel.entity.js';
import { buildIncomingHook } from './factories/incoming-hooks.js';
import { insertDeliveries, insertRecovery } from './factories/deliveries.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildPost, buildPostsScene } from './factories/posts.js';
import { buildConnection } from './factories/remote-clusters.js';
import type { ApiClient } from './support/api-client.mjs';
import { faultsOf, type SentStatement } from './support/plans/check-plan.js';
import { fillTables, GROWING } from './support/plans/fill-tables.js';
import { EXCEPTIONS } from './support/plans/exceptions.js';
import { routesOf } from './support/routes.js';
import { isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

/** Tables of this many rows; PLAN_ROWS overrides it, up to ten million. */
const ROWS = Number(process.env['PLAN_ROWS'] ?? 50_000);
const ON_TABLE = new RegExp(`\\b(?:${GROWING.join('|')})\\b`);
const EXPLAINED = /^\s*(?:SELECT|UPDATE|DELETE|WITH)\b|^\s*INSERT\b.*\bSELECT\b/is;

/** Accepted for every list. */
const PAGES = ['', '?page=3', '?page=3&per_page=200'];
const OWNER_STATES = ['active', 'deactivated', 'deleted', 'left_team', 'orphaned'].map(
  (state) => `?owner_state=${state}`,
);
/** A value of most rows, and one of none. */
const AUDIT_FILTERS = [
  ...['user_id=author', 'action=log_in', 'result=fail', 'result=success', 'user_id=author&page=3'],
  ...['user_id=author&result=success', 'user_id=author&action=log_in', 'action=log_in&result=fail'],
];
/** One with half of all deliveries, and one with none. */
const ENDPOINTS = ['endpoint=https://example.com', 'endpoint=https://nobody.example'];

describe('queries on growing tables', () => {
  let server: TestServer;
  let dataSource: DataSource;
  const sent = new Map<string, SentStatement>();

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
    collectCommitted(sent);
    dataSource = server.app.get(DataSource);
    const { admin } = server;
    const { teamId, channelId, author, teamAdmin } = await buildPostsScene(server);
    const incoming = await buildIncomingHook(admin, channelId, { keep_requests: true });
    const outgoing = await buildOutgoingHook(admin, teamId, { channel_id: channelId });
    const pull = { channel_id: channelId, callback_urls: [], delivery: 'pull', trigger_words: ['pull'] };
    const pulled = [
      await buildOutgoingHook(admin, teamId, pull),
      await buildOutgoingHook(admin, teamId, { ...pull, ordering: 'channel' }),
    ];
    const { record: connection } = await buildConnection(admin, teamId);
    await shareOver(server, connection.remote_id, channelId);
    const post = await buildPost(author.client, channelId);
    const reply = await buildPost(author.client, channelId, { root_id: post.id });
    const [delivery, ...more] = await insertDeliveries(server, outgoing, 3, {
      status: 'failed',
      finishAt: Date.now(),
    });
    const ask = async (client: ApiClient, method: string, path: string, body?: unknown): Promise<void> => {
      const status = await statusOf(client, method, path, body);
      if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
    };
    await changeEverything(ask, { admin, member: author.client, teamId, channelId });
    await eventually(() => [...sent.keys()].some((sql) => sql.includes('step = step + #')));
    const startMs = Date.now() - ROWS;
    await fillTables(dataSource, ROWS, startMs, {
      channel_id: channelId,
      team_id: teamId,
      user_id: author.id,
      creator_id: author.id,
      set_by: author.id,
      maker_id: author.id,
      owner_id: outgoing.id,
      hook_id: incoming.id,
      remote_id: connection.remote_id,
    });
    const values: Readonly<Record<string, string>> = {
      team_id: teamId,
      channel_id: channelId,
      user_id: author.id,
      post_id: post.id,
      remote_id: connection.remote_id,
      delivery_id: delivery!.id,
    };
    const others = more.map(({ id }) => id);
    collect(dataSource, sent);
    const clients = [admin, teamAdmin.client, author.client];
    await readEverything(server, clients, (name, path) =>
      name === 'hook_id' ? (path.includes('outgoing') ? outgoing.id : incoming.id) : values[name],
    );
    const early = startMs + ROWS / 4;
    /** One of the fill rows: not deleted, and in the channel. */
    const inTheMiddle = String(ROWS / 2 + 2).padStart(26, '0');
    const ofChannel = `/channels/${channelId}/posts`;
    for (const query of [
      ...PAGES,
      ...[
        `?before=${inTheMiddle}`,
        `?after=${inTheMiddle}`,
        `?before=${inTheMiddle}&page=3`,
        `?since=${early}`,
      ],
      ...['?collapsedThreads=true', '?include_deleted=true', '?include_deleted=true&page=3'],
      ...['?collapsedThreads=true&page=3', `?since=${early}&collapsedThreads=true`],
    ])
      await ask(admin, 'GET', `${ofChannel}${query}`);
    await dataSource.query('UPDATE channel_members SET last_viewed_at = ? WHERE channel_id = ?', [
      early,
      channelId,
    ]);
    await ask(author.client, 'GET', `/users/${author.id}/channels/${channelId}/posts/unread`);
    for (const query of ['?perPage=20', `?perPage=20&fromPost=${reply.id}&fromCreateAt=${reply.create_at}`])
      await ask(author.client, 'GET', `/posts/${post.id}/thread${query}`);
    for (const client of clients.slice(0, 2))
      for (const kind of ['incoming', 'outgoing'])
        for (const query of [...PAGES, ...OWNER_STATES]) {
          const next = query === '' ? '?' : `${query}&`;
          for (const after of ['', `&after=${inTheMiddle}`]) {
            await ask(client, 'GET', `/hooks/${kind}${next}team_id=${teamId}${after}`);
            if (client === admin) await ask(client, 'GET', `/hooks/${kind}${next}${after}`);
            if (kind === 'outgoing')
              await ask(client, 'GET', `/hooks/${kind}${next}channel_id=${channelId}${after}`);
          }
          await ask(client, 'GET', `/hooks/${kind}${next}team_id=${teamId}&include_total_count=true`);
        }
    for (const query of ['', '?status=pending', '?status=failed', `?since=${early}`, `?before=${early}`])
      await ask(admin, 'GET', `/hooks/outgoing/${outgoing.id}/deliveries${query}`);
    for (const hook of ['', `hook_id=${outgoing.id}`])
      for (const status of ['', 'status=failed', 'status=pending,delivered', 'status=in_flight,cancelled'])
        for (const time of ['', `since=${early}`, `before=${early}`, `cursor=${inTheMiddle}`])
          for (const result of ['', ...ENDPOINTS, 'error=tls', 'http_status=404'])
            await ask(admin, 'GET', `/hooks/outgoing/deliveries?${[hook, status, time, result].join('&')}`);
    const charted = Array.from({ length: 99 }, (_, row) => String(row + 2).padStart(26, '0'));
    for (const range of ['24h', '7d'])
      await ask(admin, 'POST', `/hooks/outgoing/stats?range=${range}`, {
        hook_ids: [outgoing.id, ...charted],
      });
    for (const query of PAGES) await ask(admin, 'GET', `/hooks/outgoing/endpoints${query}`);
    await ask(admin, 'GET', '/hooks/incoming/refusing');
    await ask(admin, 'GET', '/hooks/outgoing/endpoints/details?endpoint=https://example.com');
    await server.app.get(DeliverySearchService).recent('outgoing_hook', early, 500);
    for (const filter of [
      '',
      `&hook_id=${outgoing.id}`,
      '&status=in_flight',
      '&endpoint=https://example.com',
    ])
      await ask(admin, 'GET', `/hooks/outgoing/deliveries?delivery_id=${delivery!.id}${filter}`);
    for (const query of [...PAGES, `?after=${inTheMiddle}`]) await ask(admin, 'GET', `/audits${query}`);
    for (const filter of AUDIT_FILTERS)
      for (const time of [
        ...['', `&since=${early}`, `&before=${early}`, `&since=${early}&before=${Date.now()}`],
        ...(filter.includes('fail') ? [] : [`&after=${inTheMiddle}`]),
      ])
        await ask(admin, 'GET', `/audits?${filter.replace('author', author.id)}${time}`);
    for (const query of PAGES) await ask(admin, 'GET', `/hooks/incoming/${incoming.id}/requests${query}`);
    await ask(admin, 'POST', `/hooks/outgoing/${outgoing.id}/recover?dry_run=true`, { since: early });
    const ended = await insertRecovery(server, outgoing);
    await ask(admin, 'POST', `/hooks/outgoing/${outgoing.id}/recover/${ended.id}/stop`);
    await ask(admin, 'POST', `/hooks/outgoing/${outgoing.id}/deliveries/${delivery!.id}/request`);
    await ask(admin, 'POST', '/hooks/outgoing/deliveries/retry', { ids: [delivery!.id, ...others] });
    const filter = { endpoint: 'https://example.com', http_status: '5xx', since: early };
    await ask(admin, 'POST', '/hooks/outgoing/deliveries/retry', { filter, dry_run: true });
    await ask(admin, 'POST', `/hooks/outgoing/${outgoing.id}/deliveries/retry`, { filter, dry_run: true });
    await ask(admin, 'GET', '/hooks/outgoing/deliveries/recoveries');
    await ask(admin, 'POST', `/hooks/outgoing/${outgoing.id}/dry_run`, { trigger_words: ['text'] });
    await ask(author.client, 'PUT', `/posts/${reply.id}/patch`, { message: 'changed' });
    await ask(author.client, 'DELETE', `/posts/${post.id}`);
    await ask(author.client, 'POST', '/posts', { channel_id: channelId, message: 'another' });
    await pullAndSettle(ask, { admin, channelId, hooks: pulled });
    await askAboutPeople(ask, { admin, member: author.client, teamId, channelId });
    await callHook(server, incoming.id);
    await server.app.get(RequestKeeper).flush();
    await server.app.get(Purge).run();
    await server.app.get(DeliveriesService).onModuleInit();
    await server.app.get(DeliveriesService).listLastFinished('outgoing_hook');
    const queue = server.app.get(LanesReadModel);
    await queue.countOpen();
    for (const flow of [undefined, 'one'])
      await queue.flowsAfter('https://example.com', flow, 'pending', 100);
    await queue.listDue({ lane: 'https://example.com', flow: 'one' }, 'pending', Date.now(), 200);
    server.app.get(PauseWatch).onApplicationBootstrap();
    server.app.get(PauseWatch).onRole();
    await server.app.get(IncomingHooksService).findOldestOf(author.id);
  }, 300_000 + ROWS);
  afterAll(() => server?.close());

  it(
    'read no table to its end, and sort no more than they return',
    async () => {
      const faults: string[] = [];
      const needed = new Set<string>();
      for (const statement of sent.values()) {
        const exception = EXCEPTIONS.find(({ statement: shape }) => shape.test(statement.sql));
        if (exception && needed.has(exception.reason)) continue;
        const found = await faultsOf(dataSource, statement);
        if (found.length > 0 && exception) needed.add(exception.reason);
        else if (found.length > 0) faults.push(`${found.join(', ')}: ${readable(statement.sql)}`);
      }
      expect(faults).toEqual([]);
      expect(sent.size).toBeGreaterThan(100);
      if (process.env['CHECK_MODULE']) return; // with few rows, some are not needed
      const here = EXCEPTIONS.filter(({ on }) => on === undefined || (on === 'mysql') === isMysql);
      expect(here.filter(({ reason }) => !needed.has(reason))).toEqual([]);
    },
    120_000 + ROWS,
  );
});

/** Hands out deliveries of webhooks, and settles them. */
async function pullAndSettle(
  ask: (client: ApiClient, method: string, path: string, body?: unknown) => Promise<void>,
  { admin, channelId, hooks }: { admin: ApiClient; channelId: string; hooks: readonly any[] },
): Promise<void> {
  for (const route of ['ack', 'nack']) {
    await ask(admin, 'POST', '/posts', { channel_id: channelId, message: 'pull' });
    for (const { id } of hooks) {
      const path = `/hooks/outgoing/${id}`;
      const { deliveries } = await admin.call('POST', `${path}/pull`, { limit: 1 });
      await ask(admin, 'GET', `${path}/deliveries?status=in_flight`);
      await ask(admin, 'POST', `${path}/${route}`, { lease_ids: [deliveries[0].lease_id] });
    }
  }
}

/** Small changes of each kind, whose statements are stored in shared commits. */
async function changeEverything(
  ask: (client: ApiClient, method: string, path: string, body?: unknown) => Promise<void>,
  {
    admin,
    member,
    teamId,
    channelId,
  }: Record<'admin' | 'member', ApiClient> & Record<'teamId' | 'channelId', string>,
): Promise<void> {
  await ask(member, 'POST', '/posts', { channel_id: channelId, message: 'deploy' }); // calls an address that refuses
  await ask(member, 'POST', '/channels/members/me/view', { channel_id: channelId });
  await ask(member, 'PUT', '/users/me/patch', { nickname: 'changed' });
  await ask(admin, 'PUT', `/channels/${channelId}/patch`, { header: 'changed' });
  await ask(admin, 'PUT', `/teams/${teamId}/patch`, { description: 'changed' });
  const hook = { channel_id: channelId, display_name: 'another' };
  await ask(admin, 'POST', '/hooks/incoming', hook);
  const callback = { callback_urls: ['http://127.0.0.1:9/'], trigger_words: ['other'] };
  await ask(admin, 'POST', '/hooks/outgoing', { ...hook, ...callback, team_id: teamId });
}

/** Waiting data of the connection is found by the list of its shares. */
async function shareOver(server: TestServer, remoteId: string, channelId: string): Promise<void> {
  const shares = server.app.get(DataSource).getRepository(SharedChannelRemote);
  const times = { createAt: 1, updateAt: 1, deleteAt: 0, lastPostUpdateAt: 0, lastPostCreateAt: 0 };
  const ids = { creatorId: server.adminId, lastPostId: '', lastPostCreateId: '' };
  const states = { isFromPeer: false, isInviteAccepted: true, isInviteConfirmed: true };
  await shares.insert({ id: channelId, remoteId, channelId, ...times, ...ids, ...states });
}

async function callHook(server: TestServer, hookId: string): Promise<void> {
  const url = `${server.url}/hooks/${hookId}`;
  const call = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': newId() },
      ...(body && { body: JSON.stringify(body) }),
    });
  await call('POST', '', { text: 'From a webhook.' });
  const message = { text: 'a'.repeat(40_000), key: 'key' };
  const posted = await call('POST', '?wait=true', message);
  const { post_ids: ids } = (await posted.json()) as { readonly post_ids: readonly string[] };
  await call('POST', '', { text: 'An answer.', key: 'key' });
  await call('POST', '', { text: 'Changed.', key: 'key', on_key: 'update' });
  const path = `/messages/${ids[0]}`;
  for (const text of ['b'.repeat(40_000), 'short']) await call('PATCH', path, { text });
  await call('GET', path);
  await call('DELETE', path);
  await call('POST', '', { text: 'Posted again.', key: 'key' });
}

/** Without the column names of a whole row, which are not informative. */
const readable = (sql: string): string => sql.replace(/^SELECT [^()]{300,}? FROM /, 'SELECT … FROM ');

/** Lists of users, teams, channels and their children, with every filter. */
async function askAboutPeople(
  ask: (client: ApiClient, method: string, path: string, body?: unknown) => Promise<void>,
  {
    admin,
    member,
    teamId,
    channelId,
  }: Record<'admin' | 'member', ApiClient> & Record<'teamId' | 'channelId', string>,
): Promise<void> {
  const inTeam = `in_team=${teamId}`;
  const inChannel = `in_channel=${channelId}`;
  for (const filter of [
    ...['active=true', 'inactive=true', 'without_team=true', 'role=system_admin', inTeam, inChannel],
    ...['page=3', `${inTeam}&page=3`, `not_in_team=${teamId}`, `${inTeam}&not_in_channel=${channelId}`],
    ...[`${inTeam}&active=true&team_roles=team_admin`, `${inChannel}&channel_roles=channel_admin`],
    ...[`${inTeam}&sort=create_at`, `${inTeam}&sort=last_activity_at`],
    ...[`${inChannel}&sort=status`, `${inChannel}&sort=admin`],
  ])
    await ask(admin, 'GET', `/users?${filter}`);
  for (const list of ['?', '?sort=Username&', '?exclude_deleted_users=true&'])
    await ask(admin, 'GET', `/teams/${teamId}/members${list}page=3`);
  await ask(admin, 'GET', `/channels/${channelId}/members?page=3`);
  for (const place of ['', `&${inTeam}`, `&${inTeam}&${inChannel}`])
    await ask(admin, 'GET', `/users/autocomplete?name=nobody${place}`);
  for (const search of [{ in_channel_id: channelId }, { not_in_team_id: teamId }])
    await ask(admin, 'POST', '/users/search', { term: 'nobody', ...search });
  await ask(admin, 'GET', '/users/stats');
  await ask(admin, 'GET', `/teams/${teamId}/stats`);
  for (const terms of ['nothing -something', 'after:2026-01-01', '-something'])
    await ask(member, 'POST', `/teams/${teamId}/posts/search`, { terms });
  await ask(member, 'POST', '/teams/search', { term: 'nothing' });
  await ask(member, 'POST', '/channels/group/search', { term: 'nothing' });
  await ask(member, 'POST', '/channels/search?system_console=false', { term: 'nothing' });
  for (const state of ['search', 'search_archived'])
    await ask(member, 'POST', `/teams/${teamId}/channels/${state}`, { term: 'nothing' });
  for (const query of PAGES) {
    const page = query === '' ? '?' : `${query}&`;
    for (const list of ['/teams', '/channels', '/channels?include_deleted=true'])
      for (const total of ['', 'include_total_count=true'])
        await ask(
          admin,
          'GET',
          list.includes('?') ? `${list}&${page.slice(1)}${total}` : `${list}${page}${total}`,
        );
    for (const list of ['channels', 'channels/deleted', 'channels/private'])
      await ask(admin, 'GET', `/teams/${teamId}/${list}${query}`);
    await ask(member, 'GET', `/teams/${teamId}/channels/deleted${query}`);
    for (const filter of ['', 'include_deleted=true', 'only_orphaned=true'])
      await ask(admin, 'GET', `/bots${page}${filter}`);
    await ask(admin, 'GET', `/users/tokens${query}`);
  }
  await ask(admin, 'POST', '/channels/search', { term: 'nothing', page: 0, per_page: 60 });
  await ask(admin, 'POST', '/users/tokens/search', { term: 'nobody' });
}

/** Records one statement of each shape that goes through the data source from now on. */
function collect(dataSource: DataSource, sent: Map<string, SentStatement>): void {
  const ignore = (): void => undefined;
  const logger: Partial<Record<keyof Logger, unknown>> = {
    logQuery: (sql: string, parameters: readonly unknown[] = []) => keep(sent, { sql, parameters }),
    ...{
      logQueryError: ignore,
      logQuerySlow: ignore,
      logSchemaBuild: ignore,
      logMigration: ignore,
      log: ignore,
    },
  };
  Object.assign(dataSource, { logger });
}

/** Like `collect`, for statements that bypass it: shared commits, and prepared statements on SQLite. */
function collectCommitted(sent: Map<string, SentStatement>): void {
  const { run } = StatementConnection.prototype;
  jest.spyOn(StatementConnection.prototype, 'run').mockImplementation(function (
    this: StatementConnection,
    statements,
    onSending,
  ) {
    for (const statement of statements) keep(sent, statement);
    return run.call(this, statements, onSending);
  });
  const { prepare } = SqliteDatabase.prototype;
  jest.spyOn(SqliteDatabase.prototype, 'prepare').mockImplementation(function (this: SqliteDatabase, sql) {
    keep(sent, { sql, parameters: [] });
    return prepare.call(this, sql);
  });
}

function keep(sent: Map<string, SentStatement>, statement: SentStatement): void {
  const { sql } = statement;
  const shape = sql.replace(/\d+/g, '#').replace(/\?(?:, ?\?)+/g, '?');
  const isOurs = EXPLAINED.test(sql) && ON_TABLE.test(sql) && !/ FROM numbers\b/.test(sql);
  if (isOurs && !sent.has(shape)) sent.set(shape, statement);
}

/** Calls all GET routes whose paths can be filled in, as each of the callers. */
async function readEverything(
  server: TestServer,
  clients: readonly ApiClient[],
  valueOf: (name: string, path: string) => string | undefined,
): Promise<void> {
  for (const { method, path } of routesOf(server)) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    if (method !== 'GET' || names.some((name) => valueOf(name, path) === undefined)) continue;
    const filled = path.replace(/:(\w+)/g, (_, name: string) => valueOf(name, path)!);
    for (const client of clients) {
      await statusOf(client, 'GET', filled);
    }
  }
}

/** The fill rows need not follow the contract, so the response is not checked. */
async function statusOf(client: ApiClient, method: string, path: string, body?: unknown): Promise<number> {
  // Slow queries block the event loop for so long that kept connections expire: each request has its own.
  const request = httpRequest(`${client.url}/api/v4${path}`, {
    method,
    agent: false,
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}
