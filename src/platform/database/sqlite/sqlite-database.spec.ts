import { SqliteDatabase } from './sqlite-database.js';

describe('rows of the embedded database', () => {
  const database = new SqliteDatabase(':memory:');
  afterAll(() => database.close());

  it('are objects with the names of the statement, also once a migration has changed the table', () => {
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

  const select = (count: number): string => `SELECT ${Array(count).fill('?').join(', ')}`;

  it('stay while they are among the thousand used last', () => {
    const often = database.prepared('SELECT 1', 0);
    const once = database.prepared('SELECT 2', 0);
    for (let n = 3; n <= 1_001; n++) {
      database.prepared(`SELECT ${n}`, 0);
      expect(database.prepared('SELECT 1', 0)).toBe(often);
    }
    expect(database.prepared('SELECT 2', 0)).not.toBe(once);
  });

  it('do not stay with more than a hundred parameters, whose memory nobody sees', () => {
    expect(database.prepared(select(100), 100)).toBe(database.prepared(select(100), 100));
    expect(database.prepared(select(101), 101)).not.toBe(database.prepared(select(101), 101));
  });
});
