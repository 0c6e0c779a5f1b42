import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import { dialect } from '../src/platform/config/settings.js';
import { CONNECTION_LIMITS } from '../src/platform/database/mysql-session.js';
import { Post } from '../src/messaging/posts/post.entity.js';
import { hasTerm } from '../src/messaging/posts/search/indexed-words.js';
import { WordSearchReadModel } from '../src/messaging/posts/search/word-search.read-model.js';
import { buildPost, buildPostsScene, buildQuietChannel, type PostsScene } from './factories/posts.js';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { onlyWhere } from './support/only-where.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const WORDS = [
  ...['build', 'BUILD', 'builder', 'Büro', 'buro', 'bu\u0308ro', 'Straße', 'STRASSE', 'strasse'],
  ...['snake_case', 'case', '_under', 'łódź', 'lodz', 'naïve', 'æther', 'aether', 'İstanbul', 'istanbul'],
  ...[
    'δρόμος',
    'ΔΡΌΜΟΣ',
    'Москва',
    '今天开会',
    '東京タワー',
    '회의를',
    'שלום',
    'مرحبا',
    'नमस्ते',
    '2026',
    'v10',
  ],
  ...['ci', 're', 'a', 'it', '🎈', '𠀀𠀁𠀂', '²³¹', 'ﬁnal', 'final', 'c++', "don't", 'x'.repeat(84)],
];
const SEPARATORS = [
  ' ',
  ' ',
  '.',
  '-',
  '/',
  '\n',
  ', ',
  ' (',
  ') ',
  '🎈',
  '、',
  "'",
  '#',
  ' "',
  '\u00a0',
  '\u200b',
];
/** Blocks of characters that Unicode has long had: the parser of the index does not know new letters. */
const BLOCKS = [
  ...[
    [0x20, 0x17f],
    [0x300, 0x340],
    [0x391, 0x3a1],
    [0x3b1, 0x3c9],
    [0x400, 0x481],
    [0x5d0, 0x5ea],
  ],
  ...[
    [0x621, 0x63a],
    [0x640, 0x652],
    [0x905, 0x939],
    [0x2000, 0x206f],
    [0x2153, 0x2180],
    [0x3041, 0x30ff],
    [0x4e00, 0x4e20],
  ],
  ...[
    [0xac00, 0xac20],
    [0xff01, 0xff5e],
    [0x10330, 0x10340],
    [0x1f600, 0x1f620],
    [0x20000, 0x20010],
  ],
] as const;

onlyWhere(dialect === 'mysql', 'SQLite is only asked by its index').describe('words on MySQL', () => {
  let server: TestServer;
  let scene: PostsScene;
  let channelName: string;
  let channelId: string;
  let random = 1;
  const pick = <T>(list: readonly T[]): T => {
    random = (random * 48_271) % 2_147_483_647;
    return list[random % list.length]!;
  };

  beforeAll(async () => {
    server = await startTestServer();
    scene = await buildPostsScene(server);
  });
  beforeEach(async () => {
    channelId = await buildQuietChannel(server, scene);
    channelName = (await server.admin.get(`/channels/${channelId}`)).body.name;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => server?.close());

  const posts = () => server.app.get(DataSource).getRepository(Post);
  const insert = async (messages: readonly string[]): Promise<void> => {
    const { id } = await buildPost(scene.author.client, channelId, { message: '.' });
    const first = { ...(await posts().findOneByOrFail({ id })), props: {}, metadata: {} };
    await posts().insert(
      messages.map((message, index) => ({ ...first, id: newId(), seq: first.seq + index + 1, message })),
    );
  };
  const texts = (): string[] =>
    Array.from({ length: 600 }, (_, size) =>
      Array.from({ length: 1 + (size % 7) }, () => pick(SEPARATORS) + pick(WORDS)).join(''),
    );
  const messagesWith = async (sql: string, parameters: object): Promise<string[]> => {
    const query = posts().createQueryBuilder('post').where(sql, parameters);
    return (await query.andWhere({ channelId }).orderBy('post.seq').getMany()).map(({ message }) => message);
  };
  const indexed = (text: string): Promise<string[]> =>
    messagesWith('MATCH(post.message) AGAINST (:text IN BOOLEAN MODE)', { text });
  const search = (terms: string, fields: object = {}): Promise<Answer> =>
    scene.author.client.post(`/teams/${scene.teamId}/posts/search`, {
      terms: `${terms} in:${channelName}`,
      ...fields,
    });
  const setLimits = (limits: Partial<WordSearchReadModel['limits']>): void =>
    server
      .everywhere(WordSearchReadModel)
      .forEach((readModel) => jest.replaceProperty(readModel, 'limits', { ...readModel.limits, ...limits }));
  /** Reads posts in many parts. */
  const readNewestFirst = (): void => setLimits({ matches: -1, firstPart: 1, largestPart: 20 });

  it('are compared by the rules of the index', async () => {
    await insert(texts());
    const whole = WORDS.filter((word) => /^[\p{L}\p{M}\p{N}_]{3,}$/u.test(word) && !word.includes('𠀀'));
    const terms = whole.flatMap((word) => [
      word,
      `${word}*`,
      `${word.slice(0, 2)}*`,
      `${pick(whole)} ${word}`,
    ]);
    let found = 0;
    for (const term of terms) {
      const text = term.includes(' ') ? `+"${term}"` : `+${term}`;
      const messages = await indexed(text);
      expect([term, await messagesWith(...hasTerm(term, 'term'))]).toEqual([term, messages]);
      found += messages.length;
    }
    expect(found).toBeGreaterThan(1_000);
  });

  it('are separated by the same characters', async () => {
    const codes = BLOCKS.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
    const word = (code: number): string => `q${code}q`;
    await insert(codes.map((code) => word(code) + String.fromCodePoint(code) + word(code)));
    const conditions = codes.map((code, index) => hasTerm(word(code), `term${index}`));
    const sql = conditions.map(([condition]) => condition).join(' OR ');
    const parameters = Object.assign({}, ...conditions.map(([, values]) => values)) as object;
    const separated = await indexed(codes.map(word).join(' '));
    expect(separated.length).toBeGreaterThan(100);
    expect(await messagesWith(sql, parameters)).toEqual(separated);
  });

  it('find the same posts by the index and by reading newest first', async () => {
    await insert(texts());
    const terms = [
      ...[
        'build',
        'build case',
        '"build case"',
        'buro*',
        'strasse -build',
        '-build',
        'ci',
        'ci build',
        'c++ case',
      ],
      ...[
        '#build',
        'build -#case',
        '"ci build"',
        '"build ci"',
        'build-case',
        'build-ca*',
        '今天* build',
        '𠀀𠀁𠀂 build',
      ],
      ...[
        'build -"case build"',
        `from:nobody build`,
        'build before:2000-01-01',
        'nowhere',
        'build nowhere',
        '²³¹',
      ],
    ];
    const answers = async (): Promise<unknown[]> => {
      const all: unknown[] = [];
      for (const text of terms)
        for (const fields of [
          {},
          { per_page: 3 },
          { is_or_search: true },
          { is_or_search: true, per_page: 3 },
        ])
          all.push([text, fields, (await search(text, fields)).body.order]);
      return all;
    };
    setLimits({ matches: Infinity });
    const byIndex = await answers();
    readNewestFirst();
    expect(await answers()).toEqual(byIndex);
    setLimits({ sample: 1 });
    expect(await answers()).toEqual(byIndex);
  });

  it('must all occur in a phrase, also short ones', async () => {
    await insert(['was green', 'is green', 'green is']);
    const found = async (): Promise<string[]> =>
      Object.values<Post>((await search('"is green"')).body.posts).map(({ message }) => message);
    expect(await found()).toEqual(['is green']);
    readNewestFirst();
    expect(await found()).toEqual(['is green']);
  });

  it('are refused if reading the posts takes too long', async () => {
    await insert(['build one', 'build two', 'build three']);
    readNewestFirst();
    jest.replaceProperty(CONNECTION_LIMITS, 'maxStatementMs', -1);
    expect((await search('build', { per_page: 1 })).body.order).toHaveLength(1);
    expectError(await search('build nowhere'), 400, 'api.post.search_posts.too_many_matches.app_error');
  });
});
