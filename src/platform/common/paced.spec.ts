import { Paced } from './paced.js';

describe('Paced', () => {
  it('runs work in order, one at a time, and hands on what comes of it', async () => {
    const paced = new Paced();
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
      if (name === 'b') throw new Error('broken');
      return name;
    };
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => paced.run('somebody', work(name))),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('takes turns between those whom it works for', async () => {
    const paced = new Paced();
    paced.hurry();
    const order: string[] = [];
    const names = ['a1', 'a2', 'a3', 'b1'];
    await Promise.all(names.map((name) => paced.run(name[0]!, async () => void order.push(name))));
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  describe('between works', () => {
    let now: number;
    const worksFor40Ms = async (): Promise<void> => void (now += 40);

    beforeEach(() => {
      now = 0;
      jest.spyOn(performance, 'now').mockImplementation(() => now);
      jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
    });
    afterEach(() => {
      jest.useRealTimers();
      jest.restoreAllMocks();
    });

    it('rests seven times as long as the work took', async () => {
      const paced = new Paced();
      let hasBegun = false;
      await paced.run('a', worksFor40Ms);
      const next = paced.run('a', async () => void (hasBegun = true));
      await jest.advanceTimersByTimeAsync(279);
      expect(hasBegun).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      await next;
      expect(hasBegun).toBe(true);
    });

    it('does not rest any more once it has to hurry', async () => {
      const paced = new Paced();
      await paced.run('a', worksFor40Ms);
      const next = [1, 2].map(() => paced.run('a', worksFor40Ms));
      paced.hurry();
      await Promise.all(next);
      expect(now).toBe(120); // although no timer has advanced
    });
  });
});
