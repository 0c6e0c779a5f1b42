import {
  DeliveryExhausted,
  type DeliveryFacts,
  DeliveryFailed,
  DeliverySucceeded,
} from '../../delivery/dispatch/dispatch.events.js';
import { DatabaseUnavailable } from '../../platform/common/errors/common-errors.js';
import { addCounts, countOf, noCounts, OUTCOMES } from './counts.js';
import { DeliveryCounter } from './delivery-counter.js';
import type { CountedSpan, DeliveryStatsRepository } from './delivery-stats.repository.js';

const HOUR_MS = 3_600_000;
const NOW = 1_000 * HOUR_MS + 7 * 60_000;

describe('DeliveryCounter', () => {
  let stored: Map<string, number[]>;
  let isUnavailable: boolean;
  let beforeStoring: () => void;
  let counter: DeliveryCounter;

  const repository = {
    add: (spans: readonly CountedSpan[]): Promise<void> => {
      beforeStoring();
      if (isUnavailable) return Promise.reject(new DatabaseUnavailable());
      for (const { subject, stepSeconds, startAt, counts } of spans) {
        const key = `${subject} ${stepSeconds} ${startAt}`;
        const sum = stored.get(key) ?? noCounts();
        addCounts(sum, counts);
        stored.set(key, sum);
      }
      return Promise.resolve();
    },
  } as unknown as DeliveryStatsRepository;

  beforeEach(() => {
    stored = new Map();
    isUnavailable = false;
    beforeStoring = () => undefined;
    counter = new DeliveryCounter(repository);
  });
  afterEach(() => counter.onApplicationShutdown());

  const facts = (fields: Partial<DeliveryFacts> = {}): DeliveryFacts => ({
    ...{ deliveryId: 'd', kind: 'outgoing_hook', ownerId: 'hook', subjectId: 'post', attempt: 1 },
    ...{
      url: 'https://ci.example.com/secret',
      statusCode: 200,
      errorClass: '',
      durationMs: 30,
      finishedAt: NOW,
    },
    ...fields,
  });
  const succeed = (fields?: Partial<DeliveryFacts>): void =>
    counter.onSucceeded(new DeliverySucceeded(facts(fields)));
  const fail = (fields: Partial<DeliveryFacts>): void =>
    counter.onFailed(new DeliveryFailed(facts(fields), NOW));
  const outcomes = (key: string): Record<string, number> =>
    Object.fromEntries(
      OUTCOMES.map((name) => [name, countOf(stored.get(key) ?? [], name)] as const).filter(
        ([, count]) => count > 0,
      ),
    );
  const FINE = 1_000 * HOUR_MS + 5 * 60_000;

  it('counts per webhook, per endpoint and in total, by five minutes and by hour', async () => {
    succeed();
    await counter.flush();
    expect([...stored.keys()].sort()).toEqual(
      ['', 'hook', 'https://ci.example.com']
        .flatMap((subject) => [`${subject} 300 ${FINE}`, `${subject} 3600 ${1_000 * HOUR_MS}`])
        .sort(),
    );
    expect(new Set([...stored.values()].map((counts) => counts.join())).size).toBe(1);
    expect(stored.get(`hook 300 ${FINE}`)!.slice(OUTCOMES.length)[3]).toBe(1); // 16 to 32 ms
  });

  it('ignores deliveries between servers', async () => {
    succeed({ kind: 'message' });
    await counter.flush();
    expect(stored.size).toBe(0);
  });

  it.each([
    ['failed_4xx', { statusCode: 404 }, 1],
    ['failed_5xx', { statusCode: 503 }, 1],
    ['failed_timeout', { statusCode: 0, errorClass: 'timeout' }, 0],
    ['failed_timeout', { statusCode: 200, errorClass: 'timeout' }, 0],
    ['failed_connection', { statusCode: 0, errorClass: 'dns' }, 0],
    ['failed_connection', { statusCode: 0, errorClass: 'reset' }, 0],
    ['failed_other', { statusCode: 302 }, 1],
    ['failed_other', { statusCode: 0, errorClass: 'protocol' }, 0],
  ] as const)('counts as %s: %j', async (outcome, fields, answers) => {
    fail(fields);
    await counter.flush();
    expect(outcomes(`hook 300 ${FINE}`)).toEqual({ [outcome]: 1 });
    expect(
      stored
        .get(`hook 300 ${FINE}`)!
        .slice(OUTCOMES.length)
        .reduce((sum, count) => sum + count),
    ).toBe(answers);
  });

  it('counts an abandoned delivery in addition to its last attempt, or alone if it could not be prepared', async () => {
    counter.onExhausted(new DeliveryExhausted(facts({ statusCode: 410 }), 'gone'));
    counter.onExhausted(
      new DeliveryExhausted(facts({ statusCode: 0, errorClass: 'unprepared' }), 'unprepared'),
    );
    await counter.flush();
    expect(outcomes(`hook 300 ${FINE}`)).toEqual({ failed_4xx: 1, given_up: 2 });
  });

  it('keeps counts that cannot be stored, and adds later ones', async () => {
    isUnavailable = true;
    succeed();
    await counter.flush();
    expect(stored.size).toBe(0);
    succeed();
    isUnavailable = false;
    beforeStoring = () => {
      beforeStoring = () => undefined;
      succeed(); // during the write
    };
    await counter.flush();
    expect(outcomes(`hook 300 ${FINE}`)).toEqual({ delivered: 3 });
    await counter.flush();
    expect(outcomes(`hook 300 ${FINE}`)).toEqual({ delivered: 3 });
  });

  it('does not repeat a stored part when another one fails', async () => {
    for (let number = 0; number < 300; number++) succeed({ ownerId: `hook${number}` });
    let commits = 0;
    beforeStoring = () => (isUnavailable = ++commits === 2);
    await counter['writes'].run();
    await counter.flush();
    const own = [...stored].filter(([key]) => key.startsWith('hook'));
    expect(own).toHaveLength(600);
    expect(own.every(([, counts]) => countOf(counts, 'delivered') === 1)).toBe(true);
    expect(outcomes(` 300 ${FINE}`)).toEqual({ delivered: 300 });
  });

  it('tracks a bounded number of webhooks and endpoints, and counts the others in the total', async () => {
    isUnavailable = true;
    for (let number = 0; number < 25_000; number++) succeed({ ownerId: `hook${number}` });
    await counter.flush();
    expect(counter['pending'].size).toBeLessThanOrEqual(40_000);
    isUnavailable = false;
    await counter.flush();
    expect(outcomes(` 300 ${FINE}`)).toEqual({ delivered: 25_000 });
    expect(outcomes(`hook0 300 ${FINE}`)).toEqual({ delivered: 1 });
    expect(stored.has(`hook24999 300 ${FINE}`)).toBe(false);
  });
});
