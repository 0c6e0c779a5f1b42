import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFlush } from './log-flush.js';
import { SqliteDatabase } from './sqlite-database.js';

interface Flush {
  readonly end: () => void;
  readonly fail: () => void;
}

describe('LogFlush', () => {
  let folder: string;
  let log: LogFlush;
  let flushes: Flush[];
  const writeBack = jest.fn();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    flushes = [];
    writeBack.mockReset();
    const path = join(folder, 'log');
    writeFileSync(path, '');
    log = new LogFlush(
      path,
      writeBack,
      () =>
        new Promise((end, reject) =>
          flushes.push({ end, fail: () => reject(new Error('the disk is gone')) }),
        ),
    );
  });
  afterEach(() => {
    log.close();
    rmSync(folder, { recursive: true });
  });

  /** Whether it has settled once all that is due has run. */
  const isDone = async (promise: Promise<unknown>): Promise<boolean> => {
    let done = false;
    promise.then(
      () => (done = true),
      () => (done = true),
    );
    await new Promise(setImmediate);
    return done;
  };

  it('waits for a flush that began after the call, which others share', async () => {
    const first = log.flush();
    const later = [log.flush(), log.flush()];
    expect(flushes).toHaveLength(1);
    flushes[0]!.end();
    await first;
    expect(await Promise.all(later.map(isDone))).toEqual([false, false]);
    expect(flushes).toHaveLength(2);
    flushes[1]!.end();
    await Promise.all(later);
    const last = log.flush();
    expect(flushes).toHaveLength(3);
    flushes[2]!.end();
    await last;
  });

  it('writes the log back after a failure, until that has succeeded once', async () => {
    const first = log.flush();
    const second = log.flush();
    writeBack.mockImplementationOnce(() => {
      throw new Error('still gone');
    });
    flushes[0]!.fail();
    const code = 'SQLITE_IOERR_FSYNC';
    await expect(first).rejects.toMatchObject({ code, cause: { message: 'the disk is gone' } });
    await expect(second).rejects.toMatchObject({ code, cause: { message: 'still gone' } });
    await log.flush();
    expect(writeBack).toHaveBeenCalledTimes(2);
    const next = log.flush();
    expect(flushes).toHaveLength(2);
    flushes[1]!.end();
    await next;
    expect(writeBack).toHaveBeenCalledTimes(2);
  });
});

describe('a database that is flushed apart', () => {
  let folder: string;
  let database: SqliteDatabase;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    database = new SqliteDatabase(join(folder, 'things.db'));
    database.flushApart();
    database.exec('CREATE TABLE things (id INTEGER)');
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const rowsInFile = (): unknown[] => {
    const copy = new SqliteDatabase(`file:${join(folder, 'things.db')}?immutable=1`); // as if there were no log
    try {
      return copy.prepare('SELECT id FROM things').all();
    } finally {
      copy.close();
    }
  };

  it('leaves the flush to the caller', async () => {
    expect(database.pragma('synchronous', { simple: true })).toBe(1);
    database.prepare('INSERT INTO things VALUES (1)').run();
    await database.flush();
  });

  it('has all in its file after a failure', async () => {
    const log = database['log']!;
    jest.spyOn(log as never, 'flushFile').mockRejectedValueOnce(new Error('the disk is gone') as never);
    database.prepare('INSERT INTO things VALUES (1)').run();
    await expect(database.flush()).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' });
    await database.flush();
    expect(rowsInFile()).toEqual([{ id: 1 }]);
  });

  it('stays in doubt while others read what is to be written back', async () => {
    const reader = new SqliteDatabase(join(folder, 'things.db'), { readonly: true, timeout: 0 });
    reader.exec('BEGIN').prepare('SELECT * FROM things').all();
    jest.spyOn(database['log'] as never, 'flushFile').mockRejectedValueOnce(new Error('gone') as never);
    database.pragma('busy_timeout = 0');
    database.prepare('INSERT INTO things VALUES (1)').run();
    await expect(database.flush()).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' });
    await expect(database.flush()).rejects.toMatchObject({ cause: { message: 'the log is being read' } });
    reader.exec('COMMIT').close();
    await database.flush();
    expect(rowsInFile()).toEqual([{ id: 1 }]);
  });
});
