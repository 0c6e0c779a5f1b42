import { Clock } from '../../../platform/common/clock.js';
import type { Lane } from '../lane.js';
import type { LaneLimit } from './lane-limit.entity.js';
import type { LaneLimitsRepository } from './lane-limits.repository.js';
import { LimitLog } from './limit-log.js';

const lane = (name: string, limit = 4, isOrdered = false): Lane =>
  ({ name, isOrdered, calls: { limit, standing: 'suspect', maxRunning: 8 } }) as unknown as Lane;

describe('the log of limits', () => {
  let stored: LaneLimit[][];
  let isAway: boolean;
  let log: LimitLog;
  beforeEach(() => {
    stored = [];
    isAway = false;
    const note = (limits: LaneLimit[]): Promise<void> => {
      if (isAway) return Promise.reject(new Error('away'));
      stored.push(limits);
      return Promise.resolve();
    };
    log = new LimitLog({ note } as unknown as LaneLimitsRepository, new Clock());
  });

  it('stores nothing while nothing changes', async () => {
    await log.flush();
    log.note(lane('order:peer', 1, true), 'failed', 1, 0);
    await log.flush();
    expect(stored).toEqual([]);
  });

  it('stores the latest of each endpoint, with all its changes, once', async () => {
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

  it('keeps what could not be stored, before what is newer', async () => {
    log.note(lane('a', 4), 'failed', 8, 0);
    isAway = true;
    await log.flush();
    log.note(lane('a', 5), 'answered', 4, 0);
    isAway = false;
    await log.flush();
    expect(stored).toMatchObject([
      [{ callsLimit: 5, changes: [{ why: 'answered' }, { why: 'failed', from: 8, to: 4 }] }],
    ]);
  });

  it('notes a limit that is forgotten as that of a new endpoint', async () => {
    log.note(lane('a', 8), 'forgotten', 8, 0);
    await log.flush();
    expect(stored[0]).toMatchObject([{ callsLimit: 2, standing: 'unknown' }]);
  });
});
