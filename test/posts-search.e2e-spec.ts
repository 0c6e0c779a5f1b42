import { DataSource } from 'typeorm';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { dialect } from '../src/platform/config/settings.js';
import { foldCase } from '../src/platform/database/folded-text.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import type { Post } from '../src/messaging/posts/post.entity.js';
import { ChannelsToIndexReadModel } from '../src/messaging/posts/search/channels-to-index.read-model.js';
import {
  type BlockState,
  SearchBlocksRepository,
} from '../src/messaging/posts/search/search-blocks.repository.js';
import { SearchIndex } from '../src/messaging/posts/search/search-index.service.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import type { PostDraft } from '../src/messaging/posts/writer/write-request.js';
import { PostSearchRepository } from '../src/messaging/posts/search/post-search.repository.js';
import { PostSearchService } from '../src/messaging/posts/search/post-search.service.js';
import {
  buildPost,
  buildPosts,
  buildPostsScene,
  buildQuietChannel,
  type PostsScene,
} from './factories/posts.js';
import type { Answer } from './support/api-client.mjs';
import { Random } from './resilience/random.mjs';
import { expectError } from './support/expect-error.js';
import { onlyWhere } from './support/only-where.js';
import { startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;
let scene: PostsScene;

beforeAll(async () => {
  server = await startTestServer();
  for (const index of server.everywhere(SearchIndex)) await index.run(); // after this nothing is packed without need
  scene = await buildPostsScene(server);
});
afterAll(() => server?.close());

const search = (terms: string, fields: Record<string, unknown> = {}): Promise<Answer> =>
  scene.author.client.post(`/teams/${scene.teamId}/posts/search`, { terms, ...fields });

describe('the case of letters', () => {
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
    'STRAẞE',
    'plain Words',
  ];

  beforeAll(async () => {
    const channelId = await buildQuietChannel(server, scene);
    channelName = (await server.admin.get(`/channels/${channelId}`)).body.name;
    ids = (await buildPosts(scene.author.client, channelId, MESSAGES)).map(({ id }: { id: string }) => id);
  });

  it.each([
    ['ärger', ['Ärger im Büro', 'viel ärger']],
    ['Ärger', ['Ärger im Büro', 'viel ärger']],
    ['ÄRGER', ['Ärger im Büro', 'viel ärger']],
    ['ärger -BÜRO', ['viel ärger']],
    ['ärger -arger', ['Ärger im Büro', 'viel ärger']],
    ['Émile', ['Émile ist da']],
    ['émile', ['Émile ist da']],
    ['δρόμος', ['ΔΡΌΜΟΣ', 'ο δρόμος']],
    ['ΔΡΌΜΟΣ', ['ΔΡΌΜΟΣ', 'ο δρόμος']],
    ['москва', ['Москва']],
    ['istanbul', ['İstanbul']],
    ['İSTANBUL', ['İstanbul']],
    ['STRAẞE', ['STRAẞE']],
    ['WORDS', ['plain Words']],
    ['arger', []],
    ['w_rds', []],
    ['%', []],
  ])('%s', async (terms, expected) => {
    const { body } = await search(`${terms} in:${channelName}`);
    expect(body.order.map((id: string) => MESSAGES[ids.indexOf(id)]).reverse()).toEqual(expected);
    const word = terms.split(' ')[0];
    expect(Object.values(body.matches)).toEqual(expected.map(() => [word]));
  });

  it('excludes', async () => {
    const { body } = await search(`-Ärger -plain in:${channelName}`);
    expect(body.order).toHaveLength(MESSAGES.length - 3);
  });
});

describe('what narrows', () => {
  const DAY_MS = 86_400_000;
  const word = `w${newId().slice(0, 10)}`;
  let first: any;
  let ids: string[];
  let names: string[];
  let usernames: string[];

  beforeAll(async () => {
    const channels = [
      await buildQuietChannel(server, scene),
      await buildQuietChannel(server, scene),
    ] as const;
    const { author, colleague } = scene;
    const posts = [
      await buildPost(author.client, channels[0], { message: `It is (${word}).` }),
      await buildPost(colleague.client, channels[0], { message: word }),
      await buildPost(author.client, channels[1], { message: `"${word}", he says` }),
    ];
    [first] = posts;
    ids = posts.map(({ id }: { id: string }) => id);
    const name = async (id: string): Promise<string> => (await server.admin.get(`/channels/${id}`)).body.name;
    names = await Promise.all(channels.map(name));
    const username = async ({ id }: { id: string }): Promise<string> =>
      (await server.admin.get(`/users/${id}`)).body.username;
    usernames = await Promise.all([author, colleague].map(username));
  });

  const day = (offset = 0): string => new Date(first.create_at + offset * DAY_MS).toISOString().slice(0, 10);
  const places = async (terms: string, fields?: Record<string, unknown>): Promise<number[]> =>
    (await search(`${terms} ${word}`, fields)).body.order.map((id: string) => ids.indexOf(id)).sort();

  it('is who wrote, where, and who or where not', async () => {
    const [author, colleague] = usernames;
    expect(await places('')).toEqual([0, 1, 2]);
    expect(await places(`-from:${author}`)).toEqual([1]);
    expect(await places(`-from:@${colleague} -in:${names[0]}`)).toEqual([2]);
    expect(await places(`-in:${names[1]}`)).toEqual([0, 1]);
    expect(await places(`from:${author} in:${names[0]}`)).toEqual([0]);
    expect(await places(`-from:nobody.${newId()}`)).toEqual([0, 1, 2]);
    expect(await places(`-from:${author} -from:${colleague}`)).toEqual([]);
  });

  it('is the day, by the clock of the caller', async () => {
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
    'is not %s, which is told',
    async (flag) => {
      const answer = await search(`${flag} ${word}`);
      expectError(answer, 400, 'api.context.invalid_body_param.app_error');
      expect(answer.body.message).toContain('terms');
      expect(answer.body.message).toContain(flag);
    },
  );

  it('is no clock that is a day and more away', async () => {
    const answer = await search(word, { time_zone_offset: 86_401 });
    expectError(answer, 400, 'api.context.invalid_body_param.app_error');
    expect(answer.body.message).toContain('time_zone_offset');
  });
});

it('finds people whatever the case of their names', async () => {
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

describe('the effort', () => {
  const MESSAGES = Array.from(
    { length: 30 },
    (_, index) => `needle ${index % 3 === 0 ? 'red' : 'blue'} ${index}`,
  );
  let channelName: string;
  let ids: string[];

  beforeAll(async () => {
    const channelId = await buildQuietChannel(server, scene);
    channelName = (await server.admin.get(`/channels/${channelId}`)).body.name;
    ids = (await buildPosts(scene.author.client, channelId, MESSAGES)).map(({ id }: { id: string }) => id);
    ids.reverse();
  });

  const limits = (): PostSearchService['limits'][] =>
    server.everywhere(PostSearchService).map((service) => service.limits);
  async function withLimits<T>(
    changed: Partial<PostSearchService['limits']>,
    action: () => Promise<T>,
  ): Promise<T> {
    const before = { ...limits()[0] };
    limits().forEach((each) => Object.assign(each, changed));
    try {
      return await action();
    } finally {
      limits().forEach((each) => Object.assign(each, before));
    }
  }
  const found = async (terms: string, fields: Record<string, unknown> = {}): Promise<string[]> =>
    (await search(`${terms} in:${channelName}`, fields)).body.order;

  it('changes nothing in what is found, however little is looked at in one turn', async () => {
    for (const terms of ['needle', 'needle -red', 'red', 'nowhere', '', '-blue', 'needle blue -7']) {
      const once = await found(terms);
      for (const bytesAtATime of [1, 25, 60, 500])
        expect(await withLimits({ bytesAtATime }, () => found(terms))).toEqual(once);
    }
    expect(await withLimits({ bytesAtATime: 30 }, () => found('needle'))).toEqual(ids);
    expect(await withLimits({ bytesAtATime: 30 }, () => found('needle', { per_page: 7 }))).toEqual(
      ids.slice(0, 7),
    );
  });

  it('gives others a turn between one look and the next', async () => {
    const { id: userId } = scene.author;
    const actor = { kind: 'user', userId, roles: ['system_user'], sessionId: '' } as const;
    const request = {
      terms: `nowhere in:${channelName}`,
      is_or_search: false,
      include_deleted_channels: false,
      page: 0,
      per_page: 60,
    };
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    count();
    const { list } = await withLimits({ bytesAtATime: 1 }, () =>
      server.app.get(PostSearchService).find(actor, scene.teamId, request),
    );
    isOver = true;
    expect(list.posts).toEqual([]);
    expect(turns).toBeGreaterThanOrEqual(MESSAGES.length);
  });

  it('asks the database for one thing at a time, however many search', async () => {
    const repository = server.app.get(PostSearchRepository);
    const windowBelow = repository.windowBelow.bind(repository);
    let running = 0;
    let most = 0;
    jest.spyOn(repository, 'windowBelow').mockImplementation(async (...given) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      return windowBelow(...given).finally(() => running--);
    });
    try {
      const answers = await withLimits({ bytesAtATime: 100 }, () =>
        Promise.all(Array.from({ length: 6 }, () => found('needle'))),
      );
      for (const order of answers) expect(order).toEqual(ids);
    } finally {
      jest.restoreAllMocks();
    }
    expect(most).toBe(1);
  });

  it('ends at so many bytes, which count for each word', async () => {
    const bytes = MESSAGES.slice(-10).join('').length;
    const limits = { bytes, bytesAtATime: 1 };
    expect(await withLimits(limits, () => found('needle'))).toEqual(ids.slice(0, 10));
    expect(await withLimits(limits, () => found('needle nowhere', { is_or_search: true }))).toEqual(
      ids.slice(0, 5),
    );
  });

  it('ends at so many posts of a channel, and altogether', async () => {
    expect(await withLimits({ depth: 4 }, () => found('needle'))).toEqual(ids.slice(0, 4));
    expect(await withLimits({ posts: 6 }, () => found('needle'))).toEqual(ids.slice(0, 6));
  });
});

describe('a member who may not read the posts', () => {
  it('finds none in private channels, and those of public ones', async () => {
    const [open, closed] = [
      await buildQuietChannel(server, scene),
      await buildQuietChannel(server, scene, 'P'),
    ];
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

describe('the search index', () => {
  const LETTERS = [
    'a',
    'B',
    'ß',
    'Ä',
    'ä',
    'σ',
    'Σ',
    'İ',
    'i',
    '会',
    '議',
    '🎈',
    '#',
    '%',
    '_',
    '"',
    "'",
    ' ',
    ' ',
  ];
  const SMALL = { posts: 10, bytes: 600, settleMs: -1_000, maxPauseMs: 0 };
  let channelId: string;
  let channelName: string;

  const dataSource = (): DataSource => server.app.get(DataSource);
  const blocks = (): SearchBlocksRepository => server.app.get(SearchBlocksRepository);
  const found = async (terms: string, fields: Record<string, unknown> = {}): Promise<string[]> =>
    (await search(`${terms} in:${channelName}`, fields)).body.order;
  const write = (
    drafts: readonly Partial<PostDraft>[],
    origin: 'user' | 'remote' = 'user',
  ): Promise<Post[]> =>
    server.app.get(PostWriter).write({
      drafts: drafts.map((draft) => ({ userId: scene.author.id, channelId, message: '', ...draft })),
      origin,
    });
  /** Packs everything at once, in small blocks. Apart from this, nothing is packed before its time. */
  async function pack(): Promise<void> {
    // Whoever was asked for a search or an edit packs what it has missed.
    for (const index of server.everywhere(SearchIndex)) {
      await index.run();
      const before = { ...index.limits };
      Object.assign(index.limits, SMALL);
      try {
        index.request(channelId, 0);
        await index.run();
      } finally {
        Object.assign(index.limits, before);
      }
    }
  }
  const states = (): Promise<BlockState[]> =>
    blocks().list(
      channelId,
      { words: [], anyWord: false, authorIds: [] },
      { from: 0, to: Number.MAX_SAFE_INTEGER },
      1_000,
    );
  const unpack = (): Promise<unknown> =>
    dataSource().query('DELETE FROM post_search_blocks WHERE channel_id = ?', [channelId]);

  beforeEach(async () => {
    channelId = await buildQuietChannel(server, scene);
    channelName = (await server.admin.get(`/channels/${channelId}`)).body.name;
  });

  it('finds what is found without it, and nothing else', async () => {
    const numbers = new Random(20);
    const random = (): number => numbers.next();
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const text = (length: number): string => Array.from({ length }, () => pick(LETTERS)).join('');
    const authors = [scene.author, scene.colleague];
    const usernames = await Promise.all(
      authors.map(async ({ id }) => (await server.admin.get(`/users/${id}`)).body.username),
    );
    const drafts = Array.from({ length: 100 }, () => ({
      message: text(1 + Math.floor(random() ** 3 * 120)),
      userId: pick(authors).id,
      type: random() < 0.05 ? 'system_generic' : '',
    }));
    const posts = await write(drafts);
    for (const { id } of posts.slice(20, 23)) await server.admin.delete(`/posts/${id}`);
    const searches = Array.from({ length: 25 }, () => {
      const terms = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
        const term = text(1 + Math.floor(random() ** 2 * 4));
        return pick([term, term, `"${term}"`, `-${term}`, `${term}*`]);
      });
      if (random() < 0.3) terms.push(`from:${pick(usernames)}`);
      return [terms.join(' '), { is_or_search: random() < 0.3, per_page: pick([3, 60, 200]) }] as const;
    });
    const answers = async (): Promise<unknown[]> => {
      const all: unknown[] = [];
      for (const [terms, fields] of searches)
        all.push((await search(`${terms} in:${channelName}`, fields)).body);
      return all;
    };
    await unpack();
    const direct = await answers();
    await pack();
    const packed = await states();
    expect(packed.length).toBeGreaterThan(5);
    expect(packed.every(({ isCurrent }) => isCurrent)).toBe(true);
    expect(await answers()).toEqual(direct);
    expect(direct.filter((answer: any) => answer.order.length > 0).length).toBeGreaterThan(5);
  });

  it('is what a search reads', async () => {
    await write([{ message: 'needle' }]);
    await pack();
    expect(await found('needle')).toHaveLength(1);
    await dataSource().query('UPDATE post_search_blocks SET messages = ? WHERE channel_id = ?', [
      Buffer.from([255]),
      channelId,
    ]);
    expect(await found('needle')).toEqual([]);
  });

  it('has the posts of before the start', async () => {
    const posts = await write(Array.from({ length: 40 }, (_, index) => ({ message: `old ${index}` })));
    await unpack();
    const index = new SearchIndex(
      blocks(),
      server.app.get(ChannelsToIndexReadModel),
      server.app.get(UnitOfWork),
      new Clock(),
    );
    Object.assign(index.limits, SMALL);
    await index.run();
    expect((await states()).length).toBeGreaterThan(3);
    expect((await states())[0]!.to).toBe(posts.at(-1)!.seq + 1);
    expect(await found('old')).toHaveLength(40);
  });

  it('follows an edit, and the post is found meanwhile', async () => {
    const posts = await write(Array.from({ length: 20 }, (_, index) => ({ message: `first ${index}` })));
    await pack();
    const { id, seq } = posts[3]!;
    await server.admin.put(`/posts/${id}/patch`, { message: 'second' });
    // The number of rows is as before again, as when an edit takes an old version with it.
    await dataSource().query('DELETE FROM posts WHERE original_id = ?', [id]);
    expect(await found('second')).toEqual([id]);
    await pack();
    expect((await states()).every(({ isCurrent }) => isCurrent)).toBe(true);
    expect((await states()).some(({ from, to }) => from <= seq && seq < to)).toBe(true);
    expect(await found('second')).toEqual([id]);
    expect(await found('first')).toHaveLength(19);
  });

  it('does not keep a message that is edited while it is packed', async () => {
    const [post] = await write([{ message: 'first' }]);
    const unitOfWork = server.app.get(UnitOfWork);
    const late = Object.assign(Object.create(unitOfWork), {
      run: async (work: () => Promise<unknown>) => {
        await server.admin.put(`/posts/${post!.id}/patch`, { message: 'second' });
        await dataSource().query('DELETE FROM posts WHERE original_id = ?', [post!.id]);
        return unitOfWork.run(work);
      },
    });
    const range = { from: 0, to: post!.seq + 1 };
    await blocks().edits(channelId);
    expect(await new SearchBlocksRepository(late).pack(channelId, range)).toBe(false);
    expect(await found('second')).toEqual([post!.id]);
    expect(await blocks().pack(channelId, range)).toBe(true);
    expect(await found('second')).toEqual([post!.id]);
  });

  it('follows posts of other servers, which come between older ones', async () => {
    const posts = await write(Array.from({ length: 20 }, (_, index) => ({ message: `first ${index}` })));
    await pack();
    const { createAt } = posts[0]!;
    const origin = { id: newId(), remoteId: '', editAt: 0 };
    await dataSource().query(
      'UPDATE post_search_blocks SET to_seq = to_seq + 4096 WHERE channel_id = ? AND to_seq = ?',
      [channelId, posts.at(-1)!.seq + 1],
    );
    await write([{ message: 'between', createAt, origin }], 'remote');
    expect((await states()).every(({ isCurrent }) => isCurrent)).toBe(false);
    expect(await found('between')).toEqual([origin.id]);
    await pack();
    expect((await states()).every(({ isCurrent }) => isCurrent)).toBe(true);
    expect(await found('between')).toEqual([origin.id]);
  });

  it('closes a gap between blocks', async () => {
    await write(Array.from({ length: 40 }, (_, index) => ({ message: `first ${index}` })));
    await pack();
    const before = await states();
    const { from } = before[2]!;
    await dataSource().query('DELETE FROM post_search_blocks WHERE channel_id = ? AND from_seq = ?', [
      channelId,
      from,
    ]);
    expect(await found('first')).toHaveLength(40);
    await pack();
    expect(await states()).toEqual(before);
  });

  onlyWhere(dialect === 'mysql', 'SQLite folds by the same function').it(
    'knows the case of each letter that the database knows',
    async () => {
      const letters = Array.from({ length: 0x1ffff }, (_, index) => index + 1)
        .filter((code) => code < 0xd800 || code > 0xdfff)
        .map((code) => String.fromCodePoint(code));
      const [row] = await dataSource().query(
        "SELECT REPLACE(LOWER(? COLLATE utf8mb4_bin), 'ς', 'σ') AS folded",
        [letters.join('')],
      );
      const folded = [...row.folded];
      expect(letters.filter((letter, index) => ![letter, foldCase(letter)].includes(folded[index]))).toEqual(
        [],
      );
    },
  );
});
