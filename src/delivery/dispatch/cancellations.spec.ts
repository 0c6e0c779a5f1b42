import { unitOfWorkWithoutDatabase } from '../../../test/support/unit-of-work.js';
import { Clock } from '../../platform/common/clock.js';
import { Sequence } from '../../platform/common/sequence.js';
import { Cancellations } from './cancellations.js';

const OWNER = { ownerId: 'h', reason: 'hook_disabled', url: undefined };

describe('Cancellations', () => {
  const unitOfWork = unitOfWorkWithoutDatabase();
  let open: number;
  let slices: number[];
  let callable: string[];
  let cancellations: Cancellations;

  beforeEach(() => {
    open = 2_500;
    slices = [];
    callable = [];
    const cancel = (_filter: unknown, _reason: string, _now: number, limit: number): Promise<string[]> => {
      const count = Math.min(open, limit);
      open -= count;
      slices.push(count);
      return Promise.resolve(Array<string>(count).fill('lane'));
    };
    cancellations = new Cancellations(
      { cancel } as never,
      { callableUrls: () => Promise.resolve(callable) } as never,
      { unblock: () => undefined } as never,
      unitOfWork,
      new Clock(),
      new Sequence(),
    );
  });

  const steps = async (): Promise<void> => {
    for (let step = 0; step < 5; step++) await cancellations['step']();
  };

  it('cancels in slices, the first with the change that caused it', async () => {
    await unitOfWork.run(async () => {
      await cancellations.cancel(OWNER);
      await steps(); // not before the commit
      expect(slices).toEqual([1_000]);
    });
    await steps();
    expect(slices).toEqual([1_000, 1_000, 500]);
  });

  it('cancels a few at once', async () => {
    open = 999;
    await cancellations.cancel(OWNER);
    await steps();
    expect(slices).toEqual([999]);
  });

  it('does nothing after a rollback', async () => {
    const failing = unitOfWork.run(async () => {
      await cancellations.cancel(OWNER);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await steps();
    expect(slices).toEqual([1_000]);
  });

  it.each([
    [undefined, ['http://a'], true],
    ['http://a', ['http://a'], true],
    ['http://a', ['http://b'], false],
  ])('stops when %p is called again: %j', async (url, urls, hasStopped) => {
    await cancellations.cancel({ ...OWNER, url });
    callable = urls;
    await steps();
    expect(open > 0).toBe(hasStopped);
    callable = [];
    await steps();
    expect(open > 0).toBe(hasStopped);
  });
});
