import { DataSource, type EntityManager } from 'typeorm';
import { AppModule } from '../src/app.module.js';
import { Clock } from '../src/platform/common/clock.js';
import { Sequence } from '../src/platform/common/sequence.js';
import { heldLock } from './support/held-lock.js';
import { SharedChanges } from '../src/platform/database/changes/shared-changes.js';
import { dataSourceOptions } from '../src/platform/database/data-source.options.js';
import { DatabaseCache, shortKeys } from '../src/platform/database/database-cache.js';
import { openDatabase } from '../src/platform/database/database.module.js';
import { Transactions } from '../src/platform/database/transactions.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { eventually } from './support/test-server.js';
import { committed } from './support/unit-of-work.js';

type Work = (manager: EntityManager) => Promise<unknown>;

/** A process with its database. */
class Side {
  readonly changes: SharedChanges;
  readonly unitOfWork: UnitOfWork;
  readonly cache: DatabaseCache<string | null>;
  readonly heard: unknown[] = [];
  readonly lost = jest.fn();
  readonly clock = new Clock();

  constructor(readonly dataSource: DataSource) {
    this.changes = new SharedChanges(dataSource, this.clock, new Sequence());
    this.unitOfWork = new UnitOfWork(dataSource, new Transactions(dataSource, heldLock), this.changes);
    this.cache = new DatabaseCache(this.unitOfWork, {
      name: 'specs',
      maxBytes: 1024 * 1024,
      keys: shortKeys(100, null),
      groups: { letter: (_value, key, letter) => key.startsWith(letter) },
    });
    this.changes.on('news', (body) => this.heard.push(body));
    this.changes.onLost(this.lost);
  }

  /** What the cache returns, and whether it had to query. */
  async read(key: string, stored: string): Promise<string> {
    let source = 'memory';
    const value = await this.cache.get(key, () => {
      source = 'database';
      return Promise.resolve(stored);
    });
    return `${value} from ${source}`;
  }
}

const onMysql = onlyWhere(isMysql, 'an embedded database belongs to one process');
onMysql.describe('changes of other processes', () => {
  let place: TestDatabase;
  let here: Side;
  let there: Side;

  beforeAll(async () => {
    place = await createTestDatabase();
    const open = (): Promise<DataSource> => openDatabase(dataSourceOptions(place, AppModule.declared));
    here = new Side(await open());
    there = new Side(await open());
    for (const side of [here, there]) await side.changes.onApplicationBootstrap();
  });
  afterAll(async () => {
    for (const side of [here, there]) {
      await side?.changes.onApplicationShutdown();
      await side?.dataSource.destroy();
    }
    await place?.drop();
  });

  it('invalidates the cache of the same name in every process after the commit', async () => {
    await there.read('a', 'old');
    expect(await there.read('a', 'new')).toBe('old from memory');
    await here.unitOfWork.run(async () => {
      here.cache.forget('a');
      return Promise.resolve();
    });
    await eventually(async () => (await there.read('a', 'new')) === 'new from database');
    expect(await there.read('a', 'newer')).toBe('new from memory');
  });

  it('invalidates a group, or everything', async () => {
    for (const key of ['a1', 'a2', 'b1', 'c1']) await there.read(key, 'old');
    await committed(here.unitOfWork, () => here.cache.forgetGroup('letter', 'a'));
    await eventually(() => there.cache.peek('a1') === undefined && there.cache.peek('a2') === undefined);
    expect(there.cache.peek('b1')).toBe('old');
    await committed(here.unitOfWork, () => here.cache.clear());
    await eventually(() => there.cache.peek('b1') === undefined && there.cache.peek('c1') === undefined);
  });

  it('is published in the order of changes, to other processes only, and not after a rollback', async () => {
    const failing = here.unitOfWork.run(async () => {
      here.unitOfWork.notifyOtherProcesses('news', { number: 0 });
      return Promise.reject(new Error('rolled back'));
    });
    await expect(failing).rejects.toThrow('rolled back');
    for (const number of [1, 2, 3])
      await here.unitOfWork.run(async () => {
        here.unitOfWork.notifyOtherProcesses('news', { number });
        return Promise.resolve();
      });
    await eventually(() => there.heard.length >= 3);
    expect(there.heard).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
    expect(here.heard).toEqual([]);
  });

  it('makes a process that has not read for a second query the database', async () => {
    await here.read('d', 'old');
    expect(await here.read('d', 'new')).toBe('old from memory');
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
    expect(here.changes.isBehind).toBe(true);
    expect(await here.read('d', 'new')).toBe('new from database');
    jest.restoreAllMocks();
  });

  it.each([3_500, 3 * 60_000])('is received once, at the next read, if its commit took %d ms', async (ms) => {
    let passedMs = 0;
    const [slow, reader] = [new Side(here.dataSource), new Side(there.dataSource)];
    for (const { clock } of [slow, reader])
      jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + passedMs);
    for (let reads = 0; reads < 2; reads++) await reader.changes['readOnce']();
    const run = slow.dataSource.transaction.bind(slow.dataSource) as (work: Work) => Promise<unknown>;
    jest.spyOn(slow.dataSource, 'transaction').mockImplementationOnce(((work: Work) =>
      run(async (manager) => {
        await work(manager);
        for (const step of [ms - 1_000, ms]) {
          passedMs = step;
          await reader.changes['readOnce'](); // a second before the commit, and just before it
        }
      })) as never);
    await slow.unitOfWork.run(async () => {
      slow.unitOfWork.notifyOtherProcesses('news', { ms });
      return Promise.resolve();
    });
    expect(reader.heard).toEqual([]);
    await reader.changes['readOnce']();
    expect(reader.heard).toEqual([{ ms }]);
    passedMs += 10_000;
    await reader.changes['readOnce']();
    expect(reader.heard).toEqual([{ ms }]);
  });

  describe('while a process cannot read', () => {
    let late: Side;
    let passedMs: number;

    beforeEach(async () => {
      passedMs = 0;
      late = new Side(there.dataSource);
      jest.spyOn(late.clock, 'now').mockImplementation(() => Date.now() + passedMs);
      for (let reads = 0; reads < 2; reads++) await late.changes['readOnce']();
    });

    const tell = (number: number): Promise<void> =>
      here.unitOfWork.run(async () => {
        here.unitOfWork.notifyOtherProcesses('news', { number });
        return Promise.resolve();
      });

    it.each([4_000, 30_000, 4 * 60_000])('is read when it can again, after %d ms', async (ms) => {
      await tell(ms);
      passedMs = ms;
      await late.changes['readOnce']();
      expect(late.heard).toEqual([{ number: ms }]);
      expect(late.lost).not.toHaveBeenCalled();
    });

    it('is read after failed reads', async () => {
      await tell(1);
      jest.spyOn(late.dataSource, 'getRepository').mockImplementationOnce(() => {
        throw new Error('away');
      });
      passedMs = 20_000;
      await expect(late.changes['readOnce']()).rejects.toThrow('away');
      passedMs = 40_000;
      await late.changes['readOnce']();
      expect(late.heard).toEqual([{ number: 1 }]);
    });

    it('is reported as lost once, if it may be gone, and all caches are dropped', async () => {
      await late.read('a', 'old');
      passedMs = 6 * 60_000;
      await late.changes['readOnce']();
      await late.changes['readOnce']();
      expect(late.lost).toHaveBeenCalledTimes(1);
      expect(await late.read('a', 'new')).toBe('new from database');
    });
  });
});
