import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { PeriodicTask } from './periodic-task.js';

let errors: unknown[];
beforeEach(() => {
  errors = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation((message: unknown) => void errors.push(message));
});
afterEach(() => jest.restoreAllMocks());

const taskOf = (work: () => Promise<void> | void): PeriodicTask =>
  new PeriodicTask('Test', 'It fails.', work);

it('runs repeatedly, never twice at a time', async () => {
  let [running, most, runs] = [0, 0, 0];
  const task = taskOf(async () => {
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
    runs++;
  });
  task.start(1);
  await Promise.all([task.run(), task.run()]);
  while (runs < 3) await sleep(1);
  await task.stop();
  expect(most).toBe(1);
});

it('has ended when stop resolves, and does not start again', async () => {
  let runs = 0;
  const task = taskOf(async () => {
    await sleep(5);
    runs++;
  });
  task.start(1);
  void task.run();
  await task.stop();
  expect(runs).toBe(1);
  await task.run();
  await sleep(10);
  expect(runs).toBe(1);
});

it('logs a failure once, until a run succeeds', async () => {
  let isBroken = true;
  const task = taskOf(() => {
    if (isBroken) throw new TypeError('broken');
  });
  await task.run();
  await task.run();
  expect(errors).toEqual(['It fails.']);
  isBroken = false;
  await task.run();
  isBroken = true;
  await task.run();
  expect(errors).toEqual(['It fails.', 'It fails.']);
});

it('logs nothing during an outage or about errors of a stop', async () => {
  await taskOf(() => Promise.reject(new DatabaseUnavailable())).run();
  const stopping = taskOf(async () => {
    await sleep(5);
    throw new TypeError('stopped in the middle');
  });
  void stopping.run();
  await stopping.stop();
  expect(errors).toEqual([]);
});
