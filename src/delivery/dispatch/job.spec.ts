import type { Delivery } from './delivery.entity.js';
import { newJob } from './job.js';
import { ALWAYS } from './turns/lane-turns.js';

const sizeOf = (body: object): number => newJob({ id: 'a', body } as unknown as Delivery).sizeBytes;

it('begins as queued, and keeps when its row was committed', () => {
  const delivery = { id: 'a', body: {} } as unknown as Delivery;
  expect(newJob(delivery, 7)).toEqual({
    delivery,
    sizeBytes: 1_040,
    committedAt: 7,
    state: 'queued',
    turn: ALWAYS,
  });
  expect(newJob(delivery).committedAt).toBeUndefined();
});

describe('the size of a job', () => {
  it('counts the whole body, however deep', () => {
    const text = 'x'.repeat(100_000);
    const empty = sizeOf({});
    expect(sizeOf({ text }) - empty).toBeGreaterThanOrEqual(200_000);
    expect(
      sizeOf({ remote_id: 'r', msg: { payload: { posts: [{ message: text }] } } }) - empty,
    ).toBeGreaterThan(200_000);
    expect(sizeOf({ list: Array.from({ length: 1_000 }, () => 1) }) - empty).toBeGreaterThan(8_000);
    expect(sizeOf({ none: null, yes: true })).toBeLessThan(empty + 200);
  });
});
