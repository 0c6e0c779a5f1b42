import { ContributionSlot } from './unit-of-work.js';

const ROW = { sql: 'INSERT', parameters: [] };

/** A contribution slot, and the statements stored from it. */
function slotOf(statements = () => [ROW]) {
  const contribution = { statements, onStored: jest.fn() };
  return { slot: new ContributionSlot(contribution), contribution };
}

describe('a contribution', () => {
  it('is stored with the first of several changes', async () => {
    const { slot, contribution } = slotOf();
    const stored = await Promise.all([1, 2].map(() => slot.fill(async (statements) => statements())));
    expect(stored).toEqual([[ROW], []]);
    expect(await slot.fill(async (statements) => statements())).toEqual([]);
    expect(contribution.onStored).toHaveBeenCalledTimes(1);
  });

  it('is stored with the next change if one failed, or if it was not known earlier', async () => {
    let rows: (typeof ROW)[] = [];
    const { slot, contribution } = slotOf(() => rows);
    await slot.fill(async (statements) => statements());
    rows = [ROW];
    const failure = slot.fill(async (statements) => {
      statements();
      throw new Error('rolled back');
    });
    await expect(failure).rejects.toThrow('rolled back');
    expect(contribution.onStored).not.toHaveBeenCalled();
    expect(await slot.fill(async (statements) => statements())).toEqual([ROW]);
    expect(contribution.onStored).toHaveBeenCalledTimes(1);
  });

  it('is not stored after the request', async () => {
    const { slot, contribution } = slotOf();
    const late = slot.fill(async (statements) => {
      await Promise.resolve();
      return statements();
    });
    slot.close();
    expect(await late).toEqual([]);
    expect(await slot.fill(async (statements) => statements())).toEqual([]);
    expect(contribution.onStored).not.toHaveBeenCalled();
  });
});
