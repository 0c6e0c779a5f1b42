import { restartDelayMs } from './worker-pool.js';

it('starts a worker again at once, and later each time that it ends again, but never much later', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 2_000].map(restartDelayMs)).toEqual([
    ...[0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000],
  ]);
});
