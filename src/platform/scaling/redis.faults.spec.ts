import { redisFaults } from './redis.js';

const info = (values: Record<string, string> = {}): string =>
  Object.entries({
    redis_version: '7.0.15',
    role: 'master',
    maxmemory: '0',
    maxmemory_policy: 'noeviction',
    ...values,
  })
    .map(([key, value]) => `${key}:${value}`)
    .join('\r\n');

it('reports nothing for a correct server', () => {
  expect(redisFaults(`# Server\r\n${info()}\r\n`)).toEqual([]);
  expect(redisFaults(info({ redis_version: '6.2.0', maxmemory: '1000', used_memory: '999' }))).toEqual([]);
  expect(redisFaults('')).toEqual([]);
});

it.each([
  [{ redis_version: '6.0.16' }, /6\.0\.16 .* too old/],
  [{ redis_version: '5.0.7' }, /too old/],
  [{ maxmemory_policy: 'allkeys-lru' }, /allkeys-lru.*noeviction/],
  [{ role: 'slave' }, /replica/],
  [{ maxmemory: '1000', used_memory: '1000' }, /full/],
])('reports what is wrong: %j', (values, text) => {
  expect(redisFaults(info(values))).toEqual([expect.stringMatching(text)]);
});
