import { SqliteDatabase } from './sqlite-database.js';

describe('rows of the embedded database', () => {
  const database = new SqliteDatabase(':memory:');
  afterAll(() => database.close());

  it('are objects with the column names of the statement, even after a migration has changed the table', () => {
    database.exec('CREATE TABLE things (id TEXT, size INTEGER)');
    const all = database.prepare('SELECT * FROM things');
    const one = database.prepare(`SELECT size AS "it's a \\ ""name""", id FROM things`);
    database.prepare('INSERT INTO things VALUES (?, ?)').run('a', true);
    expect(all.all()).toEqual([{ id: 'a', size: 1 }]);
    expect(one.get()).toEqual({ 'it\'s a \\ "name"': 1, id: 'a' });
    database.exec(`ALTER TABLE things ADD COLUMN colour TEXT DEFAULT 'red'`);
    expect(all.all()).toEqual([{ id: 'a', size: 1, colour: 'red' }]);
    expect(database.prepare('SELECT id FROM things WHERE size = 2').get()).toBeUndefined();
  });
});

describe('prepared statements', () => {
  const database = new SqliteDatabase(':memory:');
  afterAll(() => database.close());

  it('are cached while they are among the last thousand used', () => {
    const often = database.prepare('SELECT 1');
    const once = database.prepare('SELECT 2');
    for (let n = 3; n <= 1_001; n++) {
      database.prepare(`SELECT ${n}`);
      expect(database.prepare('SELECT 1')).toBe(often);
    }
    expect(database.prepare('SELECT 2')).not.toBe(once);
  });

  it('are not cached if they are long, because their memory is not counted', () => {
    const long = `SELECT ${Array(2_000).fill('?').join(', ')}`;
    expect(database.prepare(long)).not.toBe(database.prepare(long));
  });
});
