import { anyOf, fullTextQuery } from './full-text-query.js';

it.each([
  [['build'], [], '("build")', '+build'],
  [['is green', 'bui*'], [], '("is green" AND "bui"*)', '+"is green" +bui*'],
  [['c++', 'a-b*'], ['red', '#ci'], '("c++" AND "a-b"*) NOT ("red")', '+"c++" +"a-b" -red'],
  [['#ci'], ['x', 'y z'], '("ci") NOT ("x" OR "y z")', '+ci -x -"y z"'],
  [['a" OR "b', 'NOT', 'x\ny'], [], '("a OR b" AND "NOT" AND "x y")', '+"a OR b" +NOT +"x y"'],
  [['%', '🎈', '_'], ['red'], '', ''],
])('%j without %j', (words, excluded, sqlite, mysql) => {
  expect(fullTextQuery({ words, excluded, anyWord: false }, 'sqlite')).toBe(sqlite);
  expect(fullTextQuery({ words, excluded, anyWord: false }, 'mysql')).toBe(mysql);
});

it('finds any word', () => {
  expect(anyOf(['red', '#ci', 'is green'], 'sqlite')).toBe('("red" OR "is green")');
  expect(anyOf(['red', '#ci', 'is green'], 'mysql')).toBe('red "is green"');
  expect(anyOf(['#ci'], 'sqlite')).toBe('');
});
