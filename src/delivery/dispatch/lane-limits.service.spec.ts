import { Clock } from '../../platform/common/clock.js';
import { type LimitChange, MAX_CHANGES, withChange, withChanges } from './call-limits.js';
import type { LaneLimit } from './delivery.entity.js';
import type { LaneLimitsRepository } from './lane-limits.repository.js';
import type { Lane } from './lane.js';
import { LaneLimitsService } from './lane-limits.service.js';

const change = (fields: Partial<LimitChange>): LimitChange => ({
  ...{ at: 0, why: 'failed', times: 1, from: 8, to: 4, standing: 'suspect', pausedUntil: 0 },
  ...fields,
});

describe('limit changes', () => {
  it('are listed newest first', () => {
    const changes = withChanges(
      [change({})],
      [change({ at: 2, why: 'spared' }), change({ at: 1, why: 'slow' })],
    );
    expect(changes.map(({ why }) => why)).toEqual(['spared', 'slow', 'failed']);
  });

  it('of one kind within a minute are merged', () => {
    const one = withChange(
      [change({ at: 1 })],
      change({ at: 60_000, from: 4, to: 2, times: 3, pausedUntil: 5 }),
    );
    expect(one).toEqual([change({ at: 1, times: 4, from: 8, to: 2, pausedUntil: 5 })]);
    expect(withChange(one, change({ at: 60_001 }))).toHaveLength(2);
    expect(withChange(one, change({ at: 2, why: 'answered' }))).toHaveLength(2);
  });

  it('are bounded', () => {
    let changes: readonly LimitChange[] = [];
    for (let minute = 0; minute < 2 * MAX_CHANGES; minute++)
      changes = withChange(changes, change({ at: minute * 60_000 }));
    expect(changes).toHaveLength(MAX_CHANGES);
    expect(changes[0]?.at).toBe((2 * MAX_CHANGES - 1) * 60_000);
  });
});

const lane = (name: string, limit = 4, isOrdered = false): Lane =>
  ({ name, isOrdered, calls: { limit, standing: 'suspect', maxRunning: 8 } }) as unknown as Lane;

describe('the log of limits', () => {
  let stored: LaneLimit[][];
  let isUnavailable: boolean;
  let log: LaneLimitsService;
  beforeEach(() => {
    stored = [];
    isUnavailable = false;
    const note = (limits: LaneLimit[]): Promise<void> => {
      if (isUnavailable) return Promise.reject(new Error('away'));
      stored.push(limits);
      return Promise.resolve();
    };
    log = new LaneLimitsService(
      { note } as unknown as LaneLimitsRepository,
      ...([{}, {}, {}] as [never, never, never]),
      new Clock(),
      { register: () => undefined } as never,
    );
  });

  it('stores nothing without changes', async () => {
    await log.flush();
    log.note(lane('order:peer', 1, true), 'failed', 1, 0);
    await log.flush();
    expect(stored).toEqual([]);
  });

  it('stores the latest limit of each endpoint once, with all changes', async () => {
    log.note(lane('b'), 'failed', 8, 0);
    log.note(lane('a', 2), 'answered', 1, 0);
    log.note(lane('b', 2), 'spared', 4, 1_000);
    await log.flush();
    expect(stored).toHaveLength(1);
    const [[a, b] = []] = stored;
    expect([a?.lane, b?.lane]).toEqual(['a', 'b']);
    expect(b).toMatchObject({
      callsLimit: 2,
      changes: [{ why: 'spared' }, { why: 'failed', from: 8, to: 4 }],
    });
    expect(b!.pausedUntil).toBe(b!.notedAt + 1_000);
    await log.flush();
    expect(stored).toHaveLength(1);
  });

  it('keeps failed writes, before newer changes', async () => {
    log.note(lane('a', 4), 'failed', 8, 0);
    isUnavailable = true;
    await log.flush();
    log.note(lane('a', 5), 'answered', 4, 0);
    isUnavailable = false;
    await log.flush();
    expect(stored).toMatchObject([
      [{ callsLimit: 5, changes: [{ why: 'answered' }, { why: 'failed', from: 8, to: 4 }] }],
    ]);
  });

  it('logs a forgotten limit as that of a new endpoint', async () => {
    log.note(lane('a', 8), 'forgotten', 8, 0);
    await log.flush();
    expect(stored[0]).toMatchObject([{ callsLimit: 2, standing: 'unknown' }]);
  });
});
