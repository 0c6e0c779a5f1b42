import { BoundedLimit } from './bounded-limit.js';

describe('BoundedLimit', () => {
  it('runs a limited number at once, queues a limited number, and refuses the next', async () => {
    const ends: (() => void)[] = [];
    let running = 0;
    const work = (): Promise<void> => {
      running++;
      return new Promise<void>((resolve) => ends.push(resolve)).finally(() => running--);
    };
    const limit = new BoundedLimit(2, 1, () => new Error('full'));
    const accepted = [limit.run(work), limit.run(work), limit.run(work)];
    await expect(limit.run(work)).rejects.toThrow('full');
    expect(running).toBe(2);
    ends.splice(0).forEach((end) => end());
    await accepted[0];
    await accepted[1];
    expect(running).toBe(1);
    ends.splice(0).forEach((end) => end());
    await accepted[2];
    expect(limit.size).toBe(0);
  });

  it('frees the slot of failed work', async () => {
    const limit = new BoundedLimit(1, 0, () => new Error('full'));
    await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(limit.run(async () => 'done')).resolves.toBe('done');
  });
});
