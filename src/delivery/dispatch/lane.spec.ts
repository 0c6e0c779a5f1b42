import type { Delivery } from './delivery.entity.js';
import { Lane, newJob } from './lane.js';
import {
  type LaneEvent,
  type LaneState,
  nextLaneState,
  nextSourceState,
  type SourceEvent,
  type SourceState,
} from './lane-states.js';

const job = (id: string) => newJob({ id, flow: 'a', body: {} } as unknown as Delivery);
const isIdle = (lane: Lane): boolean => lane.restsUntil(Infinity);
const IMPOSSIBLE = 'impossible';

function outcome<S, E>(next: (state: S, event: E) => S, state: S, event: E): S | typeof IMPOSSIBLE {
  try {
    return next(state, event);
  } catch {
    return IMPOSSIBLE;
  }
}

describe('the next state of a source', () => {
  const events: readonly SourceEvent[] = ['rowsLeft', 'headRequeued', 'readBegins', 'readAll', 'readSome'];

  it.each<[SourceState, ...(SourceState | typeof IMPOSSIBLE)[]]>([
    ['clear', 'backlog', 'backlog', 'reading', IMPOSSIBLE, IMPOSSIBLE],
    ['backlog', 'backlog', 'backlog', 'reading', IMPOSSIBLE, IMPOSSIBLE],
    ['reading', 'reading-missed', 'reading-stale', IMPOSSIBLE, 'clear', 'backlog'],
    ['reading-missed', 'reading-missed', 'reading-stale', IMPOSSIBLE, 'backlog', 'backlog'],
    ['reading-stale', 'reading-stale', 'reading-stale', IMPOSSIBLE, 'backlog', 'backlog'],
  ])('that is %s', (state, ...expected) => {
    expect(events.map((event) => outcome(nextSourceState, state, event))).toEqual(expected);
  });
});

describe('the next state of an ordered lane', () => {
  const events: readonly LaneEvent[] = ['callStarts', 'wake', 'settled', 'requeued', 'readBegins'];

  it.each<[LaneState, ...(LaneState | typeof IMPOSSIBLE)[]]>([
    ['open', 'calling', 'open', IMPOSSIBLE, IMPOSSIBLE, 'open'],
    ['calling', IMPOSSIBLE, 'woken', 'open', 'paused', 'calling'],
    ['woken', IMPOSSIBLE, 'woken', 'open', 'open', 'woken'],
    ['paused', IMPOSSIBLE, 'open', IMPOSSIBLE, IMPOSSIBLE, 'open'],
  ])('that is %s', (state, ...expected) => {
    expect(events.map((event) => outcome(nextLaneState, state, event))).toEqual(expected);
  });
});

it('reports an impossible transition', () => {
  expect(() => nextLaneState('paused', 'callStarts')).toThrow(
    '"callStarts" cannot happen in the state "paused".',
  );
});

/** Reads the table to its end; nothing is due. */
function readAll(lane: Lane): Lane {
  for (const source of lane.sources) {
    lane.readBegins(source);
    source.on('readAll');
  }
  return lane;
}

describe('an ordered lane', () => {
  /** An ordered lane whose table has been read, with a running call and one more job. */
  function calling(): Lane {
    const lane = readAll(new Lane('order:peer', 8));
    lane.push('pending', job('second'));
    lane.callStarts();
    return lane;
  }

  it('is read before any call', () => {
    expect(new Lane('order:peer', 8)).toMatchObject({ dueAt: 0 });
    expect(isIdle(new Lane('order:peer', 8))).toBe(false);
  });

  it('waits for its first delivery, and puts the others back', () => {
    const lane = calling();
    expect(lane.settled({ status: 'pending', dueAt: 5_000 })).toHaveLength(1);
    expect(lane).toMatchObject({ dueAt: 5_000, queued: 0 });
    expect(isIdle(lane)).toBe(false);
  });

  it('does not wait if its receiver recovered before or after the call ended', () => {
    const woken = calling();
    expect(woken.resume(0)).toBe(false);
    woken.settled({ status: 'pending', dueAt: 5_000 });
    expect(woken.dueAt).toBe(0);
    const paused = calling();
    paused.settled({ status: 'pending', dueAt: 5_000 });
    expect(paused.resume(1_000)).toBe(true);
    expect(paused.dueAt).toBe(0);
  });

  it('is read at once when rows are found, whenever they are due', () => {
    const lane = readAll(new Lane('order:peer', 8));
    lane.found('pending', 9_000);
    expect(lane.dueAt).toBe(0);
  });

  it('is not woken by a recovered receiver after its pause has ended', () => {
    const lane = calling();
    lane.settled({ status: 'pending', dueAt: 5_000 });
    expect(lane.resume(5_000)).toBe(false);
    expect(lane.dueAt).toBe(5_000);
    expect(lane.resume(4_999)).toBe(true);
    expect(lane.dueAt).toBe(0);
    // The ended pause has no further effect.
    readAll(lane);
    expect(lane.resume(1_000)).toBe(false);
    expect(lane.dueAt).toBe(Infinity);
  });

  it('discards a read that was running when it was unloaded', () => {
    const lane = calling();
    lane.readBegins(lane.fresh);
    expect(lane.unload()).toHaveLength(1);
    expect(lane.fresh.state).toBe('reading-stale');
    expect(lane.retries.state).toBe('clear');
  });

  it('keeps its pause when a sweep finds its rows', () => {
    const lane = calling();
    lane.found('pending', 0);
    lane.settled({ status: 'pending', dueAt: 5_000 });
    lane.found('pending', 0);
    expect(lane.dueAt).toBe(5_000);
  });
});

describe('any other lane', () => {
  it('has a backlog while one of its sources has one', () => {
    const lane = new Lane('http://a', 8);
    expect([lane.hasBacklog, lane.fresh.state, lane.retries.state]).toEqual([false, 'clear', 'clear']);
    for (const source of lane.sources) {
      source.on('rowsLeft');
      expect([lane.hasBacklog, source.state, source.isReading]).toEqual([true, 'backlog', false]);
      source.on('readBegins');
      expect([lane.hasBacklog, source.state, source.isReading]).toEqual([false, 'reading', true]);
      source.on('readAll');
      expect([lane.hasBacklog, source.state, source.isReading]).toEqual([false, 'clear', false]);
    }
  });

  it('is not idle while a source is read or a job is claimed', () => {
    const lane = new Lane('http://a', 8);
    for (const source of lane.sources) {
      lane.readBegins(source);
      expect(lane).toMatchObject({ dueAt: Infinity });
      expect(isIdle(lane)).toBe(false);
      source.on('readAll');
      expect(isIdle(lane)).toBe(true);
    }
    lane.claimed = 1;
    expect(isIdle(lane)).toBe(false);
  });

  it.each([
    [12, 3, 'FFFFRFFFFRFFFFR'],
    [5, 5, 'FFFFRFRRRR'],
    [9, 0, 'FFFFFFFFF'],
    [0, 3, 'RRR'],
    [6, 1, 'FFFFRFF'],
  ])('calls %i first attempts and %i retries in the order %s', (fresh, retries, order) => {
    const lane = new Lane('http://a', 8);
    for (let index = 0; index < fresh; index++) lane.push('pending', job('F'));
    for (let index = 0; index < retries; index++) lane.push('retrying', job('R'));
    const taken = Array.from({ length: fresh + retries }, () => lane.shift('unknown')?.job.delivery.id);
    expect(taken.join('')).toBe(order);
    expect(lane.shift('unknown')).toBeUndefined();
  });

  it('is due when its earliest row is, and idle without rows', () => {
    const lane = new Lane('http://a', 8);
    expect(lane).toMatchObject({ dueAt: Infinity });
    expect(isIdle(lane)).toBe(true);
    lane.settled({ status: 'retrying', dueAt: 5_000 });
    lane.found('retrying', 3_000);
    lane.settled({ status: 'pending', dueAt: 4_000 });
    expect(lane).toMatchObject({ dueAt: 3_000 });
    expect(isIdle(lane)).toBe(false);
    lane.wake();
    expect(lane.dueAt).toBe(0);
    for (const source of lane.sources) {
      lane.readBegins(source);
      source.on('readAll');
    }
    expect(lane).toMatchObject({ dueAt: Infinity });
    expect(isIdle(lane)).toBe(true);
  });
});
