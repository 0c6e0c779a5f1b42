import { newId } from '../src/common/ids.js';
import { buildPosts, buildPostsScene, buildQuietChannel, type PostsScene } from './factories/posts.js';
import type { Answer } from './support/api-client.js';
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
