import { FairLimit } from './fair-limit.js';

type Lane = 'a' | 'b' | 'c';

describe('FairLimit', () => {
  const limit = (maxRunning: number, maxWaiting: number): FairLimit<Lane> =>
    new FairLimit<Lane>(maxRunning, maxWaiting, () => new Error('full'));
  const turns = async (count = 20): Promise<void> => {
    for (let i = 0; i < count; i++) await Promise.resolve();
  };

  it('runs a limited number at once, queues a limited number per lane, and refuses more of this lane only', async () => {
    const fair = limit(2, 1);
    const ends: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const accepted = [fair.run('a', work), fair.run('a', work), fair.run('a', work)];
    await expect(fair.run('a', work)).rejects.toThrow('full');
    accepted.push(fair.run('b', work));
    await expect(fair.run('b', work)).rejects.toThrow('full');
    expect(ends).toHaveLength(2);
    while (ends.length > 0) {
      ends.shift()?.();
      await turns();
    }
    await Promise.all(accepted);
    accepted.push(fair.run('a', work), fair.run('c', work), fair.run('c', work));
    expect(ends).toHaveLength(2); // exactly all slots are free again
    ends.forEach((end) => end());
    await turns();
    ends.forEach((end) => end());
    await Promise.all(accepted);
  });

  it('serves the lanes in turn', async () => {
    const fair = limit(1, 10);
    const order: string[] = [];
    const work = (name: string) => async (): Promise<void> => void order.push(name);
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => fair.run('a', work(name))),
      ...['b1', 'b2'].map((name) => fair.run('b', work(name))),
      fair.run('c', work('c1')),
    ]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('frees the slot of failed work', async () => {
    const fair = limit(1, 0);
    await expect(fair.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(fair.run('b', async () => 'done')).resolves.toBe('done');
  });
});
