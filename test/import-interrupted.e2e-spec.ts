import { openManyPosts } from './import/many-posts.mjs';
import type { SourceDatabase } from './import/source-database.mjs';
import { ImportTarget } from './import/target.js';

const POSTS = 40_000;
const KILLS = 8;
const seed = Number(process.env['CRASH_SEED'] ?? 1);
const TABLES = [
  'users',
  'teams',
  'channels',
  'posts',
  'incoming_webhooks',
  'outgoing_webhooks',
  'user_access_tokens',
];

describe(`an import that is killed ${KILLS} times`, () => {
  let source: SourceDatabase;
  let whole: ImportTarget;
  let killed: ImportTarget;

  beforeAll(async () => {
    source = await openManyPosts({ posts: POSTS });
    whole = await ImportTarget.open();
    killed = await ImportTarget.open();
  }, 120_000);
  afterAll(async () => {
    await whole?.close();
    await killed?.close();
    await source?.close();
  });

  it('ends with the same rows as one that was not', async () => {
    const startedAt = performance.now();
    const report = await whole.import(source.url);
    const durationMs = performance.now() - startedAt;
    let interrupted = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const killAfterMs = durationMs * fraction(seed * KILLS + kill);
      const { code } = await killed.run(['mattermost', source.url, '--json'], { killAfterMs });
      if (code === null) interrupted++;
    }
    expect(interrupted).toBeGreaterThan(0);
    const resumed = await killed.import(source.url);
    expect(resumed.verified).toBe(true);
    for (const table of TABLES) expect(await killed.contents(table)).toEqual(await whole.contents(table));
    expect(await killed.count('posts')).toBe(POSTS);
    const { moved } = report.tables.find(({ table }) => table === 'Posts')!;
    expect(moved).toBe(POSTS);
  }, 240_000);

  it('keeps the order of the posts of each channel', async () => {
    for (const target of [whole, killed]) {
      const [{ wrong }] = (await target.rows(
        'SELECT COUNT(*) AS wrong FROM (SELECT create_at, LAG(create_at) OVER (PARTITION BY channel_id ORDER BY seq) AS earlier FROM posts) AS pairs WHERE create_at < earlier',
      )) as [{ wrong: unknown }];
      expect(Number(wrong)).toBe(0);
    }
  });
});

/** A number between 0 and 1 that is always the same for the same seed. */
function fraction(number: number): number {
  const value = Math.sin(number) * 10_000;
  return value - Math.floor(value);
}
