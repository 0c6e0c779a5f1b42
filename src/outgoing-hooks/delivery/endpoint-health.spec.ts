import type { SettledAttempt } from '../../delivery/dispatch/delivery-kind.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { HEALTHY } from '../outgoing-hook-records.js';
import { EndpointHealth } from './endpoint-health.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const URL = 'http://receiver.example/';
const START = 1_000 * DAY_MS;

describe('EndpointHealth', () => {
  let hook: OutgoingHook;
  let isCached: boolean;
  let reads: number;
  let writes: number;
  let cancelled: unknown[];
  let health: EndpointHealth;

  beforeEach(() => {
    hook = { id: 'h', teamId: 't', callbackUrls: [URL], enabledAt: 0, ...HEALTHY } as OutgoingHook;
    isCached = true;
    reads = 0;
    writes = 0;
    cancelled = [];
    health = new EndpointHealth(
      {
        peek: () => (isCached ? hook : undefined),
        find: () => Promise.resolve((reads++, hook)),
        alter: (_: unknown, work: (of: OutgoingHook) => Promise<void>) => work(hook),
        setHealth: (_: unknown, change: Partial<OutgoingHook>) => {
          hook = { ...hook, ...change };
          writes++;
          return Promise.resolve();
        },
      } as never,
      { cancel: (...args: unknown[]) => Promise.resolve(cancelled.push(args)) } as never, // it requests nothing else
      { record: () => Promise.resolve() } as never,
      { afterCommit: () => undefined } as never,
      { publish: () => Promise.resolve() } as never,
      { outgoingDisableAfterMs: 5 * DAY_MS } as never,
      { outgoingScheduleMs: [0, 5_000, DAY_MS] } as never,
    );
  });

  const attempt = async (
    afterMs: number,
    result: SettledAttempt['result'] = 'retrying',
    statusCode = result === 'delivered' ? 200 : 500,
  ): Promise<void> => {
    const delivery = { id: 'd', ownerId: 'h', url: URL };
    health.note({ delivery, result, statusCode, finishedAt: START + afterMs } as SettledAttempt);
    await health.onApplicationShutdown();
  };

  it('requests the webhook again only if an attempt can change it', async () => {
    for (let ms = 0; ms < 3; ms++) await attempt(ms, 'delivered');
    expect([reads, writes]).toEqual([0, 0]);
    await attempt(3);
    await attempt(4);
    expect([reads, writes]).toEqual([1, 1]);
    isCached = false;
    await attempt(5, 'delivered');
    expect([reads, hook.failingUrls]).toEqual([2, {}]);
  });

  it('processes each attempt after the previous ones', async () => {
    const note = (result: SettledAttempt['result']): void =>
      health.note({
        delivery: { id: 'd', ownerId: 'h', url: URL },
        result,
        statusCode: 200,
        finishedAt: START,
      } as SettledAttempt);
    note('retrying');
    note('delivered'); // nothing is failing yet, as far as is known at this moment
    await health.onApplicationShutdown();
    expect([writes, hook.failingUrls]).toEqual([2, {}]);
  });

  it('disables a URL that fails for a long time, with few writes before', async () => {
    for (let ms = 0; ms < 5 * DAY_MS; ms += 60_000) await attempt(ms);
    expect(hook.disabledAt).toBe(0);
    expect(writes).toBe(5 * 24);
    await attempt(5 * DAY_MS);
    expect(hook).toMatchObject({ disabledAt: START + 5 * DAY_MS, disabledUrls: [URL] });
    expect(cancelled).toEqual([['h', 'hook_disabled', undefined]]);
  });

  it('records when a disabled URL began to fail, even if its first failure is the last', async () => {
    const other = 'http://other.example/';
    hook = { ...hook, callbackUrls: [URL, other] };
    await attempt(7, 'failed', 410);
    expect(hook).toMatchObject({ disabledAt: 0, disabledUrls: [URL], failingUrls: { [URL]: START + 7 } });
    hook = { ...hook, ...HEALTHY };
    await attempt(8);
    await attempt(9, 'failed', 410);
    expect(hook.failingUrls).toEqual({ [URL]: START + 8 });
  });

  it.each([
    ['a night', 0.4, true],
    ['two days', 2, true],
    ['a long silence', 2.1, false],
  ])('after %s without calls', async (_, days, isGivenUp) => {
    await attempt(0);
    await attempt(5 * DAY_MS - days * DAY_MS);
    await attempt(5 * DAY_MS);
    expect(hook.disabledAt > 0).toBe(isGivenUp);
    if (isGivenUp) return;
    expect(hook.failingUrls).toEqual({ [URL]: START + 5 * DAY_MS });
    for (let day = 6; day < 10; day++) await attempt(day * DAY_MS);
    expect(hook.disabledAt).toBe(0);
    await attempt(10 * DAY_MS);
    expect(hook.disabledAt).toBe(START + 10 * DAY_MS);
  });

  it('resets on success', async () => {
    for (let day = 0; day < 5; day++) await attempt(day * DAY_MS);
    await attempt(4.5 * DAY_MS, 'delivered');
    expect(hook.failingUrls).toEqual({});
    await attempt(5 * DAY_MS);
    expect(hook.disabledAt).toBe(0);
  });

  it('ignores attempts that ended before the hook was enabled again', async () => {
    hook = { ...hook, enabledAt: START + 10 };
    await attempt(9, 'failed', 410);
    expect(writes).toBe(0);
    await attempt(10, 'failed', 410);
    expect(hook.disabledUrls).toEqual([URL]);
    hook = { ...hook, ...HEALTHY, enabledAt: START + DAY_MS }; // by a clock that was ahead
    await attempt(0, 'failed', 410);
    expect(hook.disabledUrls).toEqual([URL]);
  });
});
