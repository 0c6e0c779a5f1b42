import { Claims } from './claims.js';
import { type Job, Lane } from './lane.js';
import type { Delivery } from './delivery.entity.js';
import { DispatchLimits } from './dispatch.settings.js';

/** Each takes 1,048 bytes as a job. */
const delivery = (id: string): Delivery => ({ id, flow: 'a', body: {} }) as unknown as Delivery;
const JOB_BYTES = 1_048;

function setUp(limits: Partial<DispatchLimits> = {}): { claims: Claims; lane: Lane } {
  return { claims: new Claims(Object.assign(new DispatchLimits(), limits)), lane: new Lane('http://a', 8) };
}

/** Takes a delivery and removes it from its lane's queue, as a call does. */
function take(claims: Claims, lane: Lane, id: string): Job {
  claims.take(lane, 'pending', delivery(id));
  const job = lane.shift('unknown')?.job;
  if (job?.delivery.id !== id) throw new Error('Not at the end of the queue.');
  return job;
}

describe('Claims', () => {
  it('holds claimed jobs until they are released', () => {
    const { claims, lane } = setUp();
    claims.take(lane, 'pending', delivery('a'), 7);
    claims.take(lane, 'retrying', delivery('b'));
    expect([claims.has('a'), claims.has('b'), claims.has('c')]).toEqual([true, true, false]);
    expect([
      lane.claimed,
      lane.flows.get('a').fresh.queue.length,
      lane.flows.get('a').retries.queue.length,
    ]).toEqual([2, 1, 1]);
    const job = lane.shift('unknown')!.job;
    expect(job).toMatchObject({ delivery: { id: 'a' }, committedAt: 7, state: 'queued' });
    claims.release(lane, job);
    expect([claims.has('a'), lane.claimed]).toEqual([false, 1]);
  });

  it('knows which deliveries are running', () => {
    const { claims, lane } = setUp();
    const [first, second] = [take(claims, lane, 'a'), take(claims, lane, 'b')];
    second.state = 'calling';
    expect(claims.calling()).toEqual([second]);
    claims.release(lane, second);
    expect(claims.calling()).toEqual([]);
    expect(first.state).toBe('queued');
  });

  it.each([
    [0, 9],
    [4, 9],
    [5, 3],
    [9, 3],
    [10, 1],
    [11, 1],
  ])('with %i of 10 jobs in memory, allows a flow %i', (count, room) => {
    const jobsPerFlow = { plenty: 9, scarce: 3, none: 1 };
    const byCount = setUp({ maxJobs: 10, maxJobBytes: Infinity, jobsPerFlow });
    const byBytes = setUp({ maxJobs: Infinity, maxJobBytes: 10 * JOB_BYTES, jobsPerFlow });
    for (const { claims, lane } of [byCount, byBytes]) {
      const jobs = Array.from({ length: count + 2 }, (_, index) => take(claims, lane, `${index}`));
      for (const job of jobs.slice(count)) claims.release(lane, job);
      expect(claims.roomPerFlow).toBe(room);
    }
  });

  it('returns only rows that were not claimed, released or dropped during the read', async () => {
    const { claims, lane } = setUp();
    const [claimed, released] = [take(claims, lane, 'claimed'), take(claims, lane, 'released')];
    const free = await claims.reading(async (isFree) => {
      claims.release(lane, released);
      claims.drop(({ id }) => id === 'dropped');
      return ['claimed', 'released', 'dropped', 'other'].filter((id) => isFree(delivery(id)));
    });
    expect(free).toEqual(['other']);
    const later = await claims.reading(async (isFree) =>
      ['claimed', 'released', 'dropped', 'other'].filter((id) => isFree(delivery(id))),
    );
    expect(later).toEqual(['released', 'dropped', 'other']);
    expect(claimed.state).toBe('queued');
  });

  it('forgets a read that ended, even one that failed', async () => {
    const { claims } = setUp();
    await claims.reading(async () => undefined);
    await expect(claims.reading(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(claims['reads'].size).toBe(0);
  });

  it('drops matching jobs that wait, but no running call', () => {
    const { claims, lane } = setUp();
    const [called, waiting, other] = [
      take(claims, lane, 'a1'),
      take(claims, lane, 'a2'),
      take(claims, lane, 'b'),
    ];
    called.state = 'calling';
    claims.drop(({ id }) => id.startsWith('a'));
    expect([called, waiting, other].map(({ state }) => state)).toEqual(['calling', 'dropped', 'queued']);
  });
});
