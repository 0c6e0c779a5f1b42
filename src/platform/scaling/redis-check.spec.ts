import { type Change, type ChangeHandler, ChangeLog } from '../database/changes/change-log.js';
import { redisFaults, SameRedis } from './redis-check.js';

/** Fake change logs of several processes: what one appends, the others receive at once. */
class FakeChanges extends ChangeLog {
  private handler: ChangeHandler = () => undefined;

  constructor(private readonly all: FakeChanges[]) {
    super(() => Promise.resolve());
    all.push(this);
  }

  override on(_topic: string, handler: ChangeHandler): void {
    this.handler = handler;
  }

  override append({ body }: Change): void {
    for (const other of this.all) if (other !== this) other.handler(body);
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

describe('redisFaults', () => {
  const info = (values: Record<string, string> = {}): string =>
    Object.entries({
      redis_version: '7.0.15',
      role: 'master',
      maxmemory: '0',
      maxmemory_policy: 'noeviction',
      ...values,
    })
      .map(([key, value]) => `${key}:${value}`)
      .join('\r\n');

  it('reports nothing for a correct server', () => {
    expect(redisFaults(`# Server\r\n${info()}\r\n`)).toEqual([]);
    expect(redisFaults(info({ redis_version: '6.2.0', maxmemory: '1000', used_memory: '999' }))).toEqual([]);
    expect(redisFaults('')).toEqual([]);
  });

  it.each([
    [{ redis_version: '6.0.16' }, /6\.0\.16 .* too old/],
    [{ redis_version: '5.0.7' }, /too old/],
    [{ maxmemory_policy: 'allkeys-lru' }, /allkeys-lru.*noeviction/],
    [{ role: 'slave' }, /replica/],
    [{ maxmemory: '1000', used_memory: '1000' }, /full/],
  ])('reports what is wrong: %j', (values, text) => {
    expect(redisFaults(info(values))).toEqual([expect.stringMatching(text)]);
  });
});
