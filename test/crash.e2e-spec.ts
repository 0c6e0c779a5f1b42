import { runCrashes } from './resilience/crash-run.mjs';
import { runDeliveryCrashes } from './resilience/delivery-crash-run.mjs';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

const KILLS = 3;
const seed = Number(process.env['CRASH_SEED'] ?? 1);

describe('a server that is killed under load', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it(`keeps every acknowledged post, once and whole, through ${KILLS} kills`, async () => {
    const report = await runCrashes({ env: database.env, place: database, kills: KILLS, seed });
    const { lost, doubled, half, wrong, unclean } = report;
    expect({ lost, doubled, half, wrong, unclean }).toEqual({
      lost: [],
      doubled: [],
      half: [],
      wrong: [],
      unclean: [],
    });
    expect(report.acknowledged).toBeGreaterThan(20 * KILLS);
    expect(report.unanswered).toBeGreaterThan(KILLS);
  }, 300_000);

  it(`makes every delivery, and posts no reply twice, through ${KILLS} kills`, async () => {
    const place = await createTestDatabase();
    try {
      const report = await runDeliveryCrashes({ env: place.env, place, kills: KILLS, seed });
      const { lost, unreceived, doubled, wrong } = report;
      expect({ lost, unreceived, doubled, wrong }).toEqual({
        lost: [],
        unreceived: [],
        doubled: [],
        wrong: [],
      });
      expect(report.acknowledged).toBeGreaterThan(8 * KILLS);
      expect(report.deliveries).toBe(4 * report.stored);
      expect(report.calls).toBeGreaterThan(report.deliveries);
    } finally {
      await place.drop();
    }
  }, 300_000);
});
