import { joinInserts, type Statement } from './statement.js';

const hooks = { into: 'INSERT INTO hooks (id,name) VALUES', group: '(?,?)' };
const audits = { into: 'INSERT INTO audits (id) VALUES', group: '(?)' };
const hook = (id: string): Statement => ({
  sql: `${hooks.into} ${hooks.group}`,
  parameters: [id, `name of ${id}`],
  insert: hooks,
});
const audit = (id: string): Statement => ({
  sql: `${audits.into} ${audits.group}`,
  parameters: [id],
  insert: audits,
});
const update: Statement = { sql: 'UPDATE hooks SET name = ?', parameters: ['x'] };

it('joins neighbouring inserts into the same table', () => {
  const { statements, affectedByEach } = joinInserts([
    hook('a'),
    hook('b'),
    hook('c'),
    audit('d'),
    audit('e'),
  ]);
  expect(statements).toEqual([
    {
      sql: 'INSERT INTO hooks (id,name) VALUES (?,?),(?,?),(?,?)',
      parameters: ['a', 'name of a', 'b', 'name of b', 'c', 'name of c'],
    },
    { sql: 'INSERT INTO audits (id) VALUES (?),(?)', parameters: ['d', 'e'] },
  ]);
  expect(affectedByEach([3, 2])).toEqual([1, 1, 1, 1, 1]);
});

it('keeps the order, and leaves single inserts and other statements alone', () => {
  const given = [hook('a'), update, update, hook('b'), audit('c'), hook('d')];
  const { statements, affectedByEach } = joinInserts(given);
  expect(statements).toEqual(given);
  expect(affectedByEach([1, 7, 0, 1, 1, 1])).toEqual([1, 7, 0, 1, 1, 1]);
});
