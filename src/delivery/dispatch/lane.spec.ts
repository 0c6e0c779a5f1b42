import type { Delivery } from './delivery.entity.js';
import { newJob } from './job.js';
import { Lane } from './lane.js';
import {
  type LaneEvent,
  type LaneState,
  nextLaneState,
  nextSourceState,
  type SourceEvent,
  type SourceState,
} from './lane-states.js';

const job = (id: string) => newJob({ id, body: {} } as unknown as Delivery);
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

describe('an ordered lane', () => {
  /** An ordered lane whose table is read, with a call that runs and one more job. */
  function calling(): Lane {
    const lane = new Lane('order:peer', 8);
    for (const source of lane.sources) {
      lane.readBegins(source);
      source.on('readAll');
    }
    lane.fresh.queue.push(job('second'));
    lane.callStarts();
    return lane;
  }

  it('is read before anything is called', () => {
    expect(new Lane('order:peer', 8)).toMatchObject({ dueAt: 0, isIdle: false });
  });

  it('waits for its first delivery, and puts the others back', () => {
    const lane = calling();
    expect(lane.settled({ status: 'pending', dueAt: 5_000 })).toHaveLength(1);
    expect(lane).toMatchObject({ dueAt: 5_000, queued: 0, isIdle: false });
  });

  it('does not wait if its receiver came back during the call, or comes back meanwhile', () => {
    const woken = calling();
    expect(woken.resume(0)).toBe(false);
    woken.settled({ status: 'pending', dueAt: 5_000 });
    expect(woken.dueAt).toBe(0);
    const paused = calling();
    paused.settled({ status: 'pending', dueAt: 5_000 });
    expect(paused.resume(1_000)).toBe(true);
    expect(paused.dueAt).toBe(0);
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
  it('is due when its earliest row is, and idle without any', () => {
    const lane = new Lane('http://a', 8);
    expect(lane).toMatchObject({ dueAt: Infinity, isIdle: true });
    lane.settled({ status: 'retrying', dueAt: 5_000 });
    lane.found('retrying', 3_000);
    lane.settled({ status: 'pending', dueAt: 4_000 });
    expect(lane).toMatchObject({ dueAt: 3_000, isIdle: false });
    lane.wake();
    expect(lane.dueAt).toBe(0);
    for (const source of lane.sources) {
      lane.readBegins(source);
      source.on('readAll');
    }
    expect(lane).toMatchObject({ dueAt: Infinity, isIdle: true });
  });
});
