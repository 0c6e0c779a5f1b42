import { type Connection, createConnection } from 'mysql2/promise';
import { type OwnerLock, takeOwnerLock, takeOwnerLockAlone } from '../src/platform/database/owner-lock.js';
import { type DatabaseProxy, startDatabaseProxy } from './fakes/database-proxy.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { onlyWhere } from './support/only-where.js';
import { shortenConnectionLimits } from './support/short-connection-limits.js';
import { eventually } from './support/test-server.js';

describe('the owner lock', () => {
  let place: TestDatabase;
  beforeAll(async () => (place = await createTestDatabase()));
  afterAll(() => place.drop());

  const take = (databaseUrl: string | undefined, onLost: (reason: Error) => void): Promise<OwnerLock> =>
    takeOwnerLock({ databaseUrl, dataDir: place.dataDir }, onLost);

  it('is held by one process, and is free after its release', async () => {
    const first = await take(place.databaseUrl, () => undefined);
    expect(first.isHeld).toBe(true);
    await expect(take(place.databaseUrl, () => undefined)).rejects.toThrow('Another Hookline process');
    await first.release();
    await (await take(place.databaseUrl, () => undefined)).release();
  });

  const onMysql = onlyWhere(isMysql, 'no network is between SQLite and its file');

  onMysql.describe('with REDIS_URL', () => {
    const held: OwnerLock[] = [];
    const keep = async (taking: Promise<OwnerLock>): Promise<OwnerLock> => {
      const lock = await taking;
      held.push(lock);
      return lock;
    };
    const start = (): Promise<OwnerLock> =>
      keep(
        takeOwnerLock(
          { databaseUrl: place.databaseUrl, dataDir: place.dataDir, redisUrl: 'redis://127.0.0.1' },
          (reason) => {
            throw reason;
          },
        ),
      );
    const shared = async (): Promise<OwnerLock> => {
      const lock = await start();
      await lock.started();
      return lock;
    };
    afterEach(async () => {
      for (const lock of held.splice(0)) await lock.release();
    });

    it('is held by several, each with its own number', async () => {
      const locks = await Promise.all(Array.from({ length: 8 }, shared));
      expect(new Set(locks.map(({ slot }) => slot)).size).toBe(8);
      for (const { slot } of locks) {
        expect(slot).toBeGreaterThanOrEqual(0);
        expect(slot).toBeLessThan(128);
      }
    });

    it('makes the next one wait until the first has started, and no longer', async () => {
      const first = await start();
      let second: OwnerLock | undefined;
      const starting = shared().then((lock) => (second = lock));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(second).toBeUndefined();
      await first.started();
      await starting;
      expect(second?.isHeld).toBe(true);
    });

    it('refuses processes without it and commands, and vice versa', async () => {
      await shared();
      await shared();
      await expect(take(place.databaseUrl, () => undefined)).rejects.toThrow(
        /^2 Hookline processes with REDIS_URL already use the database .*set the same REDIS_URL for this one/,
      );
      await expect(takeOwnerLockAlone(place)).rejects.toThrow(/^2 Hookline .* Stop all of them first\.$/);
      for (const lock of held.splice(0)) await lock.release();
      await keep(takeOwnerLockAlone(place));
      await expect(shared()).rejects.toThrow(/without REDIS_URL, or a command .* Stop it first/);
    }, 30_000);

    it('admits only one kind, the first to start', async () => {
      for (let round = 0; round < 8; round++) {
        const locks = await Promise.allSettled([
          shared(),
          keep(take(place.databaseUrl, () => undefined)),
          shared(),
        ]);
        const [one, alone, two] = locks.map(({ status }) => status === 'fulfilled');
        expect(alone && (one || two)).toBe(false);
        expect(alone || one || two).toBe(true);
        for (const lock of held.splice(0)) await lock.release();
      }
    }, 90_000);

    it('takes the same number again after a lost connection, and ends when another process has it', async () => {
      const lost: Error[] = [];
      const { databaseUrl = '', dataDir } = place;
      const settings = { databaseUrl, dataDir, redisUrl: 'redis://127.0.0.1' };
      const lock = await keep(takeOwnerLock(settings, (reason) => lost.push(reason)));
      await lock.started();
      const { slot } = lock;
      const name = `hookline:${new URL(databaseUrl).pathname.slice(1)}:${slot}`;
      const direct = await createConnection({ uri: databaseUrl });
      const owner = async (): Promise<number> => {
        const [rows] = await direct.query('SELECT IS_USED_LOCK(?) AS owner', [name]);
        return (rows as { owner: number }[])[0]?.owner ?? 0;
      };
      const first = await owner();
      await direct.query(`KILL ${first}`);
      const second = await eventually(async () => lock.isHeld && (await owner()) !== first && owner());
      expect(lock.slot).toBe(slot);
      const stolen = direct.query('SELECT GET_LOCK(?, 10)', [name]);
      const killer = await createConnection({ uri: databaseUrl });
      await killer.query(`KILL ${second}`);
      await stolen;
      await eventually(() => lost.length > 0);
      expect(lost[0]?.message).toContain(`has taken the slot ${slot}`);
      expect(lock.isHeld).toBe(false);
      await Promise.all([direct.end(), killer.end()]);
    }, 30_000);

    it('uses the time of the database, not that of the machine', async () => {
      jest.spyOn(Date, 'now').mockReturnValue(1_000);
      const lock = await shared();
      const now = lock.clock.now();
      jest.restoreAllMocks();
      expect(Math.abs(now - Date.now())).toBeLessThan(500);
    });
  });

  onMysql.describe('over a broken connection to the database', () => {
    let proxy: DatabaseProxy;
    let direct: Connection;
    let lock: OwnerLock;
    let lostTo: Error[];

    beforeAll(async () => {
      shortenConnectionLimits();
      proxy = await startDatabaseProxy(place.databaseUrl ?? '');
      direct = await createConnection({ uri: place.databaseUrl ?? '' });
    });
    afterAll(async () => {
      jest.restoreAllMocks();
      await direct?.end();
      await proxy?.close();
    });
    beforeEach(async () => {
      lostTo = [];
      lock = await take(proxy.url, (reason) => lostTo.push(reason));
    });
    afterEach(() => lock.release());

    /** The connection that holds it, queried without the proxy. */
    const ownerNow = async (): Promise<number | null> => {
      const [rows] = await direct.query("SELECT IS_USED_LOCK(CONCAT('hookline:', DATABASE())) AS owner");
      return (rows as { owner: number | null }[])[0]?.owner ?? null;
    };
    const expectTakenAgain = async (...ghosts: (number | null)[]): Promise<void> => {
      await eventually(() => lock.isHeld || lostTo.length > 0, 45_000);
      expect(lostTo).toEqual([]);
      expect(ghosts).not.toContain(await ownerNow());
    };

    it('is taken again once the database has dropped the connection that held it', async () => {
      const first = await ownerNow();
      proxy.fallSilent();
      await eventually(() => !lock.isHeld);
      proxy.heal();
      expect(await ownerNow()).toBe(first);
      await expectTakenAgain(first);
    }, 90_000);

    it('is taken again although the database holds it for a connection whose reply was lost', async () => {
      const first = await ownerNow();
      proxy.muteAfter('GET_LOCK');
      await direct.query(`KILL ${Number(first)}`);
      await eventually(() => !lock.isHeld);
      const second = await eventually(ownerNow);
      expect(lock.isHeld).toBe(false);
      await expectTakenAgain(first, second);
    }, 90_000);
  });
});
