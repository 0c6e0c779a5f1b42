import { once } from 'node:events';
import { connect } from 'node:net';
import { CrashRun } from './resilience/crash-run.mjs';
import { Receiver } from './fakes/receiver.js';
import { LiveClient } from './support/live-client.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { eventually } from './support/test-server.js';

const KILLS = 10;
/** As documented in docs/operating.md. */
const STOP_WITHIN_MS = 10_000;
const seed = Number(process.env['CRASH_SEED'] ?? 1);

describe(`a server that is killed ${KILLS} times under load`, () => {
  let database: TestDatabase;
  let run: CrashRun;

  beforeAll(async () => {
    database = await createTestDatabase();
    run = new CrashRun({ env: database.env, place: database, kills: KILLS, seed });
    await run.perform();
  }, 300_000);
  afterAll(async () => {
    await run.close();
    await database.drop();
  });

  it('keeps every acknowledged post once and complete', () => {
    const { lost, doubled, half, wrong, acknowledged, unanswered } = run.report.posts;
    expect({ lost, doubled, half, wrong }).toEqual({ lost: [], doubled: [], half: [], wrong: [] });
    expect(acknowledged).toBeGreaterThan(20 * KILLS);
    expect(unanswered).toBeGreaterThan(KILLS);
  });

  it('makes every delivery, and posts no reply twice', () => {
    const { lost, unreceived, doubled, wrong, ...figures } = run.report.deliveries;
    expect({ lost, unreceived, doubled, wrong }).toEqual({
      lost: [],
      unreceived: [],
      doubled: [],
      wrong: [],
    });
    expect(figures.acknowledged).toBeGreaterThan(8 * KILLS);
    expect(figures.deliveries).toBe(5 * figures.stored); // four calls, and one that a consumer pulls
    expect(figures.calls).toBeGreaterThan(figures.deliveries);
  });

  it('starts each time, stops in time when asked, and logs no error', () => {
    const { kills, stops, killedStarts, unclean } = run.report;
    expect({ kills, stops, unclean }).toEqual({ kills: KILLS, stops: 1, unclean: [] });
    expect(killedStarts).toBeGreaterThan(0);
  });

  it('stops in time with a hanging receiver, a client in the middle of a body, and open connections', async () => {
    const { server, admin, rows } = run;
    const hung = await Receiver.start(() => undefined);
    const team = await admin.call('GET', '/teams/name/main');
    const channel = { team_id: team.id, name: 'hung', display_name: 'Hung', type: 'O' };
    const { id: channelId } = await admin.call('POST', '/channels', channel);
    await admin.call('POST', '/hooks/outgoing', {
      ...{ team_id: team.id, channel_id: channelId, display_name: 'Hung' },
      ...{ trigger_words: [], callback_urls: [hung.url()], content_type: 'application/json' },
    });
    const { id: postId } = await admin.call('POST', '/posts', { channel_id: channelId, message: 'hang' });
    await eventually(() => hung.calls.length === 1);
    const live = await LiveClient.connect(server.url, admin.token);
    const slow = connect(Number(new URL(server.url).port), '127.0.0.1');
    slow.on('error', () => undefined);
    slow.write(
      `POST /api/v4/posts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n',
    );
    await once(slow, 'data'); // 100 Continue
    slow.write('{"channel_id":');
    try {
      const startedAt = performance.now();
      expect(await server.stop()).toBe(0);
      expect(performance.now() - startedAt).toBeLessThanOrEqual(STOP_WITHIN_MS);
      expect(server.errors).toEqual([]);
      await eventually(() => live.closed !== undefined && slow.destroyed);
      expect(await rows.openDeliveriesOf(postId)).toBe(1);
    } finally {
      await hung.close();
    }
  }, 60_000);
});
