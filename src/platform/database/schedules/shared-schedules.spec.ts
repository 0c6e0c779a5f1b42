import { Clock } from '../../common/clock.js';
import type { StoredSchedule } from './schedules.repository.js';
import { SharedSchedules } from './shared-schedules.js';

const INTERVAL_MS = 60_000;

/** A fake schedules table. */
class FakeTable {
  readonly rows = new Map<string, StoredSchedule>();

  get(name: string): Promise<StoredSchedule> {
    return Promise.resolve(this.rows.get(name) ?? { nextAt: 0, runner: '' });
  }

  claim(name: string, { nextAt }: StoredSchedule, next: StoredSchedule): Promise<boolean> {
    const isMine = (this.rows.get(name)?.nextAt ?? 0) === nextAt;
    if (isMine) this.rows.set(name, next);
    return Promise.resolve(isMine);
  }
}

let table: FakeTable;
let runs: { readonly process: number; readonly at: number }[];
let processes: SharedSchedules[];

beforeAll(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterAll(() => jest.useRealTimers());
afterEach(() => jest.clearAllTimers());
beforeEach(() => {
  table = new FakeTable();
  runs = [];
  processes = [0, 1, 2].map((process) => {
    const schedules = new SharedSchedules(table, new Clock());
    const work = (): void => void runs.push({ process, at: Date.now() });
    schedules.add({ name: 'work', owner: 'Test', failure: 'It failed.', work }).start(INTERVAL_MS);
    return schedules;
  });
});

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const wait = async (ms: number): Promise<void> => {
  for (let waited = 0; waited < ms; waited += 1_000) {
    jest.advanceTimersByTime(1_000);
    await settle();
  }
};
const triggerAll = async (): Promise<void> => {
  await Promise.all(processes.map((schedules) => schedules.trigger('work')));
};

it('runs once across all processes, no matter how many are triggered', async () => {
  await triggerAll();
  await triggerAll();
  expect(runs).toHaveLength(1);
  await wait(INTERVAL_MS);
  await triggerAll();
  expect(runs).toHaveLength(2);
});

it('also runs without triggers, at most two intervals late', async () => {
  await triggerAll();
  await wait(20 * INTERVAL_MS);
  const times = runs.map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - times[index]!);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(3 * INTERVAL_MS);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(INTERVAL_MS);
  expect(runs.length).toBeGreaterThan(8);
});

it('runs soon after its interval was shortened', async () => {
  table.rows.set('work', { nextAt: Date.now() + 100 * INTERVAL_MS, runner: 'gone' });
  await triggerAll();
  expect(runs).toHaveLength(1);
});

it('does not run unknown tasks or those that were not started', async () => {
  processes[0]!.add({ name: 'other', owner: 'Test', failure: 'It failed.', work: () => fail() });
  await processes[0]!.trigger('other');
  await processes[0]!.trigger('unknown');
  expect(processes[0]!.started().map(({ name }) => name)).toEqual(['work']);
});

function fail(): never {
  throw new Error('It was run.');
}
