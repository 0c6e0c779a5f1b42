import { failureDelayMs } from './attempt-throttle.js';

it.each([
  [0, 20],
  [1, 20],
  [2, 40],
  [6, 640],
  [7, 1_000],
  [10_000, 1_000],
])('the answer to wrong password number %i waits %i ms', (failures, ms) =>
  expect(failureDelayMs(failures)).toBe(ms),
);
