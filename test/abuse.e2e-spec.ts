import { ATTACKERS, runAbuse } from './abuse/abuse-run.mjs';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

const SECONDS = 2;
const MAX_MIB = 512;

/** `npm run test:abuse` measures how long another user has to wait during an attack. */
describe('a server under attack by five kinds of callers', () => {
  let database: TestDatabase;
  let report: Awaited<ReturnType<typeof runAbuse>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    report = await runAbuse({ env: database.env, seconds: SECONDS, quietSeconds: 1, isTimed: false });
  }, 120_000);
  afterAll(() => database?.drop());

  it('was attacked by each kind in every way', () => {
    expect(report.rounds.map(({ caller }) => caller)).toEqual(ATTACKERS);
    const isSilent = /^(slow |idle connections)|aborted$|nobody reads$/; // they read no response
    const ways = report.rounds.flatMap(({ results }) => results);
    expect(ways.length).toBeGreaterThan(40);
    const unanswered = ways.filter(({ name, answers }) => !isSilent.test(name) && !hasAnswer(answers));
    expect(unanswered.map(({ name }) => name)).toEqual([]);
  });

  it('logs no errors', () => {
    const ways = report.rounds.flatMap(({ results }) => results);
    expect(ways.flatMap(({ faults }) => faults)).toEqual([]);
    expect(report.errors).toEqual([]);
  });

  it('responds to another user', () => {
    expect(report.rounds.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it('stays within its memory limit', () => {
    expect(Math.max(...report.rounds.map(({ peakMiB }) => peakMiB))).toBeLessThan(MAX_MIB);
  });
});

const hasAnswer = (answers: Record<string, number>): boolean =>
  Object.keys(answers).some((answer) => /^(\d{3}|open)$/.test(answer));
