import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import { dialect } from '../src/platform/config/settings.js';
import { SqliteDatabase } from '../src/platform/database/sqlite/sqlite-database.js';
import { PostSearchReadModel } from '../src/messaging/posts/search/post-search.read-model.js';
import {
  buildPost,
  buildPosts,
  buildPostsScene,
  buildQuietChannel,
  joinChannel,
  type PostsScene,
} from './factories/posts.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { onlyWhere } from './support/only-where.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const BAD_BODY = [400, 'api.context.invalid_body_param.app_error'] as const;
const onSqlite = onlyWhere(dialect === 'sqlite', 'MySQL has no such table');

let server: TestServer;
let scene: PostsScene;

beforeAll(async () => {
  server = await startTestServer();
  scene = await buildPostsScene(server);
});
afterAll(() => server?.close());

const search = (terms: string, fields: Record<string, unknown> = {}): Promise<Answer> =>
  scene.author.client.post(`/teams/${scene.teamId}/posts/search`, { terms, ...fields });

describe('letter case', () => {
  let channelName: string;
  let ids: string[];
  const MESSAGES = [
    'Ärger im Büro',
    'viel ärger',
    'Émile ist da',
    'ΔΡΌΜΟΣ',
    'ο δρόμος',
    'Москва',
    'İstanbul',
    'Straße',
    'plain Words',
  ];

  beforeAll(async () => {
    const channelId = await buildQuietChannel(server, scene);
    channelName = (await server.admin.get(`/channels/${channelId}`)).body.name;
    ids = (await buildPosts(scene.author.client, channelId, MESSAGES)).map(({ id }: { id: string }) => id);
  });

  it.each([
    ['ärger', ['Ärger im Büro', 'viel ärger']],
    ['ÄRGER', ['Ärger im Büro', 'viel ärger']],
    ['ärger -BÜRO', ['viel ärger']],
    ['arger -buro', ['viel ärger']],
    ['Émile', ['Émile ist da']],
    ['δρόμος', ['ΔΡΌΜΟΣ', 'ο δρόμος']],
    ['москва', ['Москва']],
    ['İSTANBUL', ['İstanbul']],
    ['STRAẞE', ['Straße']],
    ['WORDS', ['plain Words']],
    ['w_rds', []],
  ])('%s', async (terms, expected) => {
    const { body } = await search(`${terms} in:${channelName}`);
    expect(body.order.map((id: string) => MESSAGES[ids.indexOf(id)]).reverse()).toEqual(expected);
    const word = terms.split(' ')[0];
    if (word !== 'arger') expect(Object.values(body.matches)).toEqual(expected.map(() => [word]));
  });

  it('excludes', async () => {
    const { body } = await search(`-Ärger -plain in:${channelName}`);
    expect(body.order).toHaveLength(MESSAGES.length - 3);
  });
});

describe('filters', () => {
  const DAY_MS = 86_400_000;
  const word = `w${newId().slice(0, 10)}`;
  let first: any;
  let ids: string[];
  let names: string[];
  let usernames: string[];

  beforeAll(async () => {
    const one = await buildQuietChannel(server, scene);
    const other = await buildQuietChannel(server, scene);
    const { author, colleague } = scene;
    const posts = [
      await buildPost(author.client, one, { message: `It is (${word}).` }),
      await buildPost(colleague.client, one, { message: word }),
      await buildPost(author.client, other, { message: `"${word}", he says` }),
    ];
    [first] = posts;
    ids = posts.map(({ id }: { id: string }) => id);
    const name = async (id: string): Promise<string> => (await server.admin.get(`/channels/${id}`)).body.name;
    names = await Promise.all([one, other].map(name));
    const username = async ({ id }: { id: string }): Promise<string> =>
      (await server.admin.get(`/users/${id}`)).body.username;
    usernames = await Promise.all([author, colleague].map(username));
  });

  const day = (offset = 0): string => new Date(first.create_at + offset * DAY_MS).toISOString().slice(0, 10);
  const places = async (terms: string, fields?: Record<string, unknown>): Promise<number[]> =>
    (await search(`${terms} ${word}`, fields)).body.order.map((id: string) => ids.indexOf(id)).sort();

  it('by author and channel, and their exclusions', async () => {
    const [author, colleague] = usernames;
    expect(await places('')).toEqual([0, 1, 2]);
    expect(await places(`-from:${author}`)).toEqual([1]);
    expect(await places(`-from:@${colleague} -in:${names[0]}`)).toEqual([2]);
    expect(await places(`-in:${names[1]}`)).toEqual([0, 1]);
    expect(await places(`from:${author} in:${names[0]}`)).toEqual([0]);
    expect(await places(`-from:nobody.${newId()}`)).toEqual([0, 1, 2]);
    expect(await places(`-from:${author} -from:${colleague}`)).toEqual([]);
  });

  it("by day, in the caller's time zone", async () => {
    const all = [0, 1, 2];
    expect(await places(`on:${day()}`)).toEqual(all);
    expect(await places(`on:${day(-1)}`)).toEqual([]);
    expect(await places(`on:${day(1)}`, { time_zone_offset: 86_400 })).toEqual(all);
    expect(await places(`after:${day(-1)} before:${day(1)}`)).toEqual(all);
    expect(await places(`after:${day()}`)).toEqual([]);
    expect(await places(`before:${day()}`)).toEqual([]);
    expect(await places(`-before:${day()} -after:${day()}`)).toEqual(all);
    expect((await search(`on:${day()} -from:${usernames[0]}`)).body.order).toContain(ids[1]);
  });

  it.each(['on:yesterday', 'before:2026-02-31', 'after:2026-1-1', '-on:2026-01-31'])(
    'do not include %s, which is reported',
    async (flag) => {
      const answer = await search(`${flag} ${word}`);
      expectError(answer, ...BAD_BODY, `terms in request body: ${flag}`);
    },
  );

  it('reject a time zone offset of a day or more', async () => {
    expectError(await search(word, { time_zone_offset: 86_401 }), ...BAD_BODY, 'time_zone_offset');
  });
});

it('finds users by name in any case', async () => {
  const { id } = scene.author;
  const mark = newId().slice(0, 8);
  await server.admin.put(`/users/${id}/patch`, { nickname: `Émile${mark}`, first_name: `Łukasz${mark}` });
  const found = async (term: string): Promise<string[]> =>
    (await server.admin.post('/users/search', { term })).body.map((user: any) => user.id);
  for (const term of [`Émile${mark}`, `émile${mark}`, `ÉMILE${mark.toUpperCase()}`, `łUKASZ${mark} émile`]) {
    expect(await found(term)).toEqual([id]);
  }
  expect(await found(mark)).toEqual([]);
  expect(await found(`%${mark}`)).toEqual([]);
});

describe('in a channel', () => {
  let channelId: string;
  let channelName: string;

  beforeEach(async () => {
    channelId = await buildQuietChannel(server, scene);
    channelName = (await server.admin.get(`/channels/${channelId}`)).body.name;
  });

  const write = async (messages: readonly string[]): Promise<string[]> =>
    (await buildPosts(scene.author.client, channelId, [...messages])).map(({ id }: { id: string }) => id);
  const found = async (terms: string, fields: Record<string, unknown> = {}): Promise<string[]> =>
    (await search(`${terms} in:${channelName}`, fields)).body.order;

  it('finds words, phrases, beginnings of words and hashtags', async () => {
    const messages = [
      'The deployment of snake_case failed: see build-server.log #release',
      'Deploy failed again, release the build server',
      'nothing (failed) here; c++ "quoted" it\'s',
      'release #released',
    ];
    const ids = await write(messages);
    const places = async (terms: string, fields = {}): Promise<number[]> =>
      (await found(terms, fields)).map((id) => ids.indexOf(id)).reverse();
    expect(await places('failed')).toEqual([0, 1, 2]);
    expect(await places('fail')).toEqual([]);
    expect(await places('fail*')).toEqual([0, 1, 2]);
    expect(await places('deploy*')).toEqual([0, 1]);
    expect(await places('deploy* -deployment')).toEqual([1]);
    expect(await places('-deploy*')).toEqual([2, 3]);
    expect(await places('"build server"')).toEqual([0, 1]);
    expect(await places('"server build"')).toEqual([]);
    expect(await places('failed -"failed again"')).toEqual([0, 2]);
    expect(await places('snake_case')).toEqual([0]);
    expect(await places('#release')).toEqual([0, 3]); // the letters #release, and the word
    expect(await places('failed -#release')).toEqual([1, 2]);
    expect(await places('deployment nothing', { is_or_search: true })).toEqual([0, 2]);
    expect(await places('deployment nothing -failed', { is_or_search: true })).toEqual([]);
    expect(await places('"of snake_case"')).toEqual([0]);
    expect(await places('the')).toEqual([0, 1]); // no word is too frequent
    expect(await places('c++ nothing')).toEqual([2]);
    expect(await places('of failed')).toEqual([0]);
    expect(await places('failed %')).toEqual([0, 1, 2]);
    expect(await places('failed -of')).toEqual(dialect === 'mysql' ? [0, 1, 2] : [1, 2]);
    expect(await places('')).toEqual([0, 1, 2, 3]);
    expect(await found('', { per_page: 2 })).toEqual([ids[3], ids[2]]);
    expect(await found('failed', { per_page: 2 })).toEqual([ids[2], ids[1]]);
  });

  it('excludes only whole hashtags', async () => {
    const [longer, , short] = await write(['tagged #tagging', 'tagged #tag', 'tagged #ta']);
    expect(await found('tagged -#tag')).toEqual([short, longer]);
    expect(await found('-#tag -#other')).toEqual([short, longer]);
    expect(await found('tagged -#tag*')).toEqual([short]);
  });

  it.each([
    'word" OR "other',
    'word) OR (other',
    'NEAR(word other)',
    'message:word AND NOT other',
    '+word >other <x ~y @3',
    '"wo\nrd" @8',
    '* -* "*" -"" ^word {word}: word:*',
    "it's \\'",
    '\u0301 \ud83d e\u0301*',
  ])('takes %j as text', async (terms) => {
    await write(['word', 'other']);
    for (const fields of [{}, { is_or_search: true }])
      expect((await search(`${terms} in:${channelName}`, fields)).status).toBe(200);
  });

  it('follows edits and deletions', async () => {
    const [edited, deleted, kept] = await write(['first one', 'first two', 'first three']);
    await server.admin.put(`/posts/${edited}/patch`, { message: 'second one' });
    await server.admin.delete(`/posts/${deleted}`);
    expect(await found('first')).toEqual([kept]);
    expect(await found('second')).toEqual([edited]);
    expect(await found('one')).toEqual([edited]);
    expect(await found('two')).toEqual([]);
    await server.admin.put(`/posts/${edited}/patch`, { props: { a: 1 } });
    expect(await found('second')).toEqual([edited]);
  });

  it('does not find system messages', async () => {
    await server.admin.put(`/channels/${channelId}/patch`, { header: 'wondrous' });
    expect(await found('wondrous')).toEqual([]);
  });

  it('finds Chinese, Japanese and Korean from the beginning of a run of letters', async () => {
    const ids = await write(['今天开会讨论', '東京タワー、大阪城', '회의를 시작합니다']);
    expect(await found('今天开会讨论')).toEqual([ids[0]]);
    expect(await found('今天*')).toEqual([ids[0]]);
    expect(await found('大阪*')).toEqual([ids[1]]);
    expect(await found('회의*')).toEqual([ids[2]]);
    expect(await found('시작합니다')).toEqual([ids[2]]);
    expect(await found('讨论*')).toEqual([]);
  });

  it('reads a limited number of posts if there are no words', async () => {
    const ids = await write(Array.from({ length: 10 }, (_, index) => `needle ${index % 2 ? 'red' : 'blue'}`));
    ids.reverse();
    const limits = server.everywhere(PostSearchReadModel).map((readModel) => readModel.limits);
    limits.forEach((each) => (each.depth = 4));
    try {
      expect(await found('')).toEqual(ids.slice(0, 4));
      expect(await found('-red')).toEqual([ids[1], ids[3]]);
      expect(await found('needle')).toEqual(ids);
    } finally {
      limits.forEach((each) => (each.depth = 10_000));
    }
  });

  onSqlite.it('survives a backup', async () => {
    const ids = await write(Array.from({ length: 10 }, (_, index) => `kept ${index}`));
    const source = server.app.get(DataSource);
    await source.query("DELETE FROM posts WHERE message = 'kept 4' OR message LIKE 'first%'");
    const file = join(mkdtempSync(join(tmpdir(), 'hookline-search-')), 'copy.db');
    await source.query('VACUUM INTO ?', [file]);
    const copy = new SqliteDatabase(file);
    const sql =
      'SELECT id FROM posts WHERE rowid IN (SELECT rowid FROM post_search WHERE post_search MATCH ?)';
    expect(copy.prepare(sql).all('kept AND 5')).toMatchObject([{ id: ids[5] }]);
    expect(copy.prepare(sql).all('kept')).toHaveLength(9);
    copy.close();
    rmSync(dirname(file), { recursive: true });
  });

  onSqlite.it('reads many matches in steps', async () => {
    const [first] = await write(['rare common']);
    const noise = await buildQuietChannel(server, scene);
    await buildPost(scene.author.client, noise, { message: 'common' });
    const source = server.app.get(DataSource);
    await source.query(
      `WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 12000)
       INSERT INTO posts SELECT printf('%026d', x), seq, create_at, update_at, edit_at, delete_at, user_id, channel_id,
         root_id, original_id, message, type, props, hashtags, is_pinned, pending_post_id, metadata, reply_count,
         last_reply_at, remote_id, source_id FROM posts, n WHERE channel_id = ? AND message = 'common'`,
      [noise],
    );
    await source.query(
      'INSERT INTO post_search (rowid, message) SELECT rowid, message FROM posts WHERE channel_id = ? AND id < ?',
      [noise, '1'],
    );
    expect(await found('common')).toEqual([first]);
    const { limits } = server.app.get(PostSearchReadModel);
    limits.matches = 10_000;
    expect(await found('common')).toEqual([]);
    limits.matches = 100_000;
  });
});

describe('a search', () => {
  const at = (id: string, client: ApiClient, terms: unknown = 'x'): Promise<Answer> =>
    client.post(`/teams/${id}/posts/search`, { terms });

  it('covers the channels of the caller, one page, and names the words that were found', async () => {
    const word = `w${newId().slice(0, 10)}`;
    const channelId = await buildQuietChannel(server, scene);
    const messages = [`${word} crossing`, word];
    const [older, newer] = await buildPosts(scene.author.client, channelId, messages);
    const { body } = await search(`${word} crossing`);
    expect(body).toMatchObject({ order: [older.id], matches: { [older.id]: [word, 'crossing'] } });
    expect((await search(word, { per_page: 1 })).body.order).toEqual([newer.id]);
    expect((await search(word, { page: 1 })).body).toEqual({
      ...{ order: [], posts: {}, matches: {} },
      ...{ next_post_id: '', prev_post_id: '', first_inaccessible_post_time: 0 },
    });
    const ofReader = async (): Promise<string[]> =>
      (await at(scene.teamId, scene.reader.client, word)).body.order;
    expect(await ofReader()).toEqual([]);
    await joinChannel(server.admin, channelId, scene.reader.id);
    expect(await ofReader()).toHaveLength(2);
    await server.admin.delete(`/channels/${channelId}`);
    expect((await search(word)).body.order).toEqual([]);
    expect((await search(word, { include_deleted_channels: true })).body.order).toHaveLength(2);
  });

  it('needs terms and a team of the caller', async () => {
    for (const terms of ['', '  ', 7, '😀'.repeat(513)])
      expectError(await at(scene.teamId, scene.author.client, terms), ...BAD_BODY, 'terms');
    expect((await search('😀'.repeat(512))).status).toBe(200);
    expectError(await at(newId(), scene.author.client), 403, 'api.context.permissions.app_error');
    expectError(await at(newId(), server.admin), 404, 'app.team.get.find.app_error');
  });
});

describe('a member who cannot read posts', () => {
  it('finds none in private channels, and those of public ones', async () => {
    const open = await buildQuietChannel(server, scene);
    const closed = await buildQuietChannel(server, scene, 'P');
    const word = newId();
    const [said] = await buildPosts(scene.colleague.client, open, [word]);
    const [secret] = await buildPosts(scene.colleague.client, closed, [word]);
    const found = async (): Promise<string[]> => (await search(word)).body.order;
    expect(await found()).toEqual([secret.id, said.id]);
    const role = await server.admin.call('GET', '/roles/name/channel_user');
    const permit = (permissions: string[]): Promise<unknown> =>
      server.admin.call('PUT', `/roles/${role.id}/patch`, { permissions });
    await permit(role.permissions.filter((name: string) => name !== 'read_channel_content'));
    try {
      expect((await scene.author.client.get(`/channels/${closed}/posts`)).status).toBe(403);
      expect(await found()).toEqual([said.id]);
    } finally {
      await permit(role.permissions);
    }
  });
});
