import { type Connection, createConnection } from 'mysql2/promise';
import { type OwnerLock, takeOwnerLock } from '../src/platform/database/owner-lock.js';
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

  it('is held by one, and free after its release', async () => {
    const first = await take(place.databaseUrl, () => undefined);
    expect(first.isHeld).toBe(true);
    await expect(take(place.databaseUrl, () => undefined)).rejects.toThrow('Another Hookline process');
    await first.release();
    await (await take(place.databaseUrl, () => undefined)).release();
  });

  const onMysql = onlyWhere(isMysql, 'no network is between SQLite and its file');
  onMysql.describe('behind a bad way to the database', () => {
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

    /** Which connection has it, asked past the proxy. */
    const ownerNow = async (): Promise<number | null> => {
      const [rows] = await direct.query("SELECT IS_USED_LOCK(CONCAT('hookline:', DATABASE())) AS owner");
      return (rows as { owner: number | null }[])[0]?.owner ?? null;
    };
    const expectTakenAgain = async (...ghosts: (number | null)[]): Promise<void> => {
      await eventually(() => lock.isHeld || lostTo.length > 0, 45_000);
      expect(lostTo).toEqual([]);
      expect(ghosts).not.toContain(await ownerNow());
    };

    it('is taken again once the database has missed the connection that had it', async () => {
      const first = await ownerNow();
      proxy.fallSilent();
      await eventually(() => !lock.isHeld);
      proxy.heal();
      expect(await ownerNow()).toBe(first);
      await expectTakenAgain(first);
    }, 90_000);

    it('is taken again, though the database has it for a connection whose answer was lost', async () => {
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
