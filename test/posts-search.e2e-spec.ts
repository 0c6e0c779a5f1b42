import { newId } from '../src/platform/common/ids.js';
import { PostSearchService } from '../src/messaging/posts/search/post-search.service.js';
import { buildPosts, buildPostsScene, buildQuietChannel, type PostsScene } from './factories/posts.js';
import type { Answer } from './support/api-client.mjs';
import { startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;
let scene: PostsScene;

beforeAll(async () => {
  server = await startTestServer();
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

  const service = (): PostSearchService => server.app.get(PostSearchService);
  async function withLimits<T>(
    changed: Partial<PostSearchService['limits']>,
    action: () => Promise<T>,
  ): Promise<T> {
    const before = { ...service().limits };
    Object.assign(service().limits, changed);
    try {
      return await action();
    } finally {
      Object.assign(service().limits, before);
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
      service().find(actor, scene.teamId, request),
    );
    isOver = true;
    expect(list.posts).toEqual([]);
    expect(turns).toBeGreaterThanOrEqual(MESSAGES.length);
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
