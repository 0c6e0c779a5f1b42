import { type Change, type ChangeHandler, OwnChanges } from '../database/changes/change-log.js';
import { SameRedis } from './redis.js';

/** Fake change logs of several processes: what one appends, the others receive at once. */
class FakeChanges extends OwnChanges {
  private handler: ChangeHandler = () => undefined;

  constructor(private readonly all: FakeChanges[]) {
    super(() => Promise.resolve());
    all.push(this);
  }

  override on(...[, handler]: [string?, ChangeHandler?]): void {
    if (handler) this.handler = handler;
  }

  override append(...[change]: [Change?]): void {
    for (const other of this.all) if (other !== this && change) other.handler(change.body);
  }
}

describe('SameRedis', () => {
  let processes: SameRedis[];
  let ids: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    const all: FakeChanges[] = [];
    processes = ['a', 'b', 'c'].map((processId) => new SameRedis(new FakeChanges(all), { processId }));
    ids = ['first', 'first', 'first'];
  });
  afterEach(() => jest.useRealTimers());

  /** Each process announces its Redis in turn; returns which ones report a fault. */
  const faulty = (): boolean[] => {
    processes.forEach((one, index) => one.tell(ids[index] ?? ''));
    jest.advanceTimersByTime(10_000);
    return processes.map(({ faults }) => faults.length > 0);
  };

  it('reports another Redis in each process, until all have the same', () => {
    expect(faulty()).toEqual([false, false, false]);
    ids = ['first', 'first', 'second'];
    const rounds = Array.from({ length: 3 }, faulty);
    expect(rounds.at(-1)).toEqual([true, true, true]);
    ids = ['second', 'second', 'second'];
    expect([faulty(), faulty()].at(-1)).toEqual([false, false, false]);
  });

  it('reports nothing during a failover or a restart, which reach the processes one by one', () => {
    faulty();
    processes[0]?.tell('second');
    ids = ['second', 'second', 'second'];
    for (let round = 0; round < 3; round++) expect(faulty()).toEqual([false, false, false]);
  });

  it('forgets a process that is gone, and compares nothing while its own Redis is unknown', () => {
    ids = ['first', 'first', 'second'];
    Array.from({ length: 3 }, faulty);
    processes.pop();
    jest.advanceTimersByTime(45_000);
    expect(faulty()).toEqual([false, false]);
    ids = ['first', ''];
    expect(Array.from({ length: 3 }, faulty).at(-1)).toEqual([false, false]);
  });
});
