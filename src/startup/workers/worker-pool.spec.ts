import { restartDelayMs } from './worker-pool.js';

it('restarts a worker at once, then with growing but bounded delays', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 2_000].map(restartDelayMs)).toEqual([
    ...[0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000],
  ]);
});
