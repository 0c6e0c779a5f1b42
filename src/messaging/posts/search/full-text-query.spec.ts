import { anyOf, fullTextQuery, isCompared, tagQuery } from './full-text-query.js';

it.each([
  [['build'], [], '("build")', '+build'],
  [['is green', 'bui*'], [], '("is green" AND "bui"*)', '+"is green" +bui*'],
  [['c++x', 'abc-d*'], ['red', '#ci'], '("c++x" AND "abc-d"*) NOT ("red")', '+"abc-d" -red'],
  [['ci', 'build', 'c++', 're*'], [], '("ci" AND "build" AND "c++" AND "re"*)', '+build +re*'],
  [['#ci'], ['x', 'y z'], '("ci") NOT ("x" OR "y z")', '+ci -x -"y z"'],
  [['a" OR "b', 'NOT', 'x\ny'], [], '("a OR b" AND "NOT" AND "x y")', '+NOT'],
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

it('finds the words of hashtags that the index has', () => {
  const queries = (database: 'mysql' | 'sqlite'): string[] =>
    ['#build', '#ci', '#re*', '#!'].map((tag) => tagQuery(tag, database));
  expect(queries('sqlite')).toEqual(['("build")', '("ci")', '("re"*)', '']);
  expect(queries('mysql')).toEqual(['build', '', 're*', '']);
});

it('compares hashtags, and on MySQL words that are too short for the index', () => {
  const compared = (database: 'mysql' | 'sqlite'): string[] =>
    ['build', 'ci', 'c++', 're*', '#build', 'a-b c', '%', '#!'].filter((word) => isCompared(word, database));
  expect(compared('sqlite')).toEqual(['#build']);
  expect(compared('mysql')).toEqual(['ci', 'c++', '#build', 'a-b c']);
});
