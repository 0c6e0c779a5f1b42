import { committed, unitOfWorkWithoutDatabase } from '../../../test/support/unit-of-work.js';
import { DatabaseCache, idKeys, idPairKeys, type KeyShape, shortKeys } from './database-cache.js';

const MIB = 1024 * 1024;
const keys = shortKeys<string | null>(1000, null);

describe('DatabaseCache', () => {
  const unitOfWork = unitOfWorkWithoutDatabase();
  let reads: string[];
  let cache: DatabaseCache<string | null>;

  beforeEach(() => {
    reads = [];
    cache = new DatabaseCache(unitOfWork, { name: 'specs', maxBytes: MIB, keys });
  });

  const get = (key: string, value: string | null = `value of ${key}`, from = cache) =>
    from.get(key, async () => {
      reads.push(key);
      return value;
    });

  it('reads a value once, then serves it from memory', async () => {
    expect(cache.peek('a')).toBeUndefined();
    expect(await get('a')).toBe('value of a');
    expect(await get('a', 'newer')).toBe('value of a');
    expect(cache.peek('a')).toBe('value of a');
    expect(reads).toEqual(['a']);
  });

  it('rereads missing values, unless it keeps misses', async () => {
    expect([await get('a', null), await get('a', null)]).toEqual([null, null]);
    expect(reads).toEqual(['a', 'a']);
    const options = { name: 'specs', maxBytes: MIB, keys, keepsMisses: true };
    const keeping = new DatabaseCache<string | null>(unitOfWork, options);
    expect([await get('b', null, keeping), await get('b', 'there by now', keeping)]).toEqual([null, null]);
    await committed(unitOfWork, () => keeping.forget('b'));
    expect(await get('b', 'there by now', keeping)).toBe('there by now');
  });

  it('shares one query among simultaneous callers, and does not cache failures', async () => {
    expect(await Promise.all([get('a'), get('a'), get('b')])).toHaveLength(3);
    expect(reads).toEqual(['a', 'b']);
    const fail = (): Promise<string> => Promise.reject(new Error('away'));
    const failing = [cache.get('c', fail), get('c')];
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get('c')).toBe('value of c');
  });

  it('returns but does not keep a value read during an invalidation', async () => {
    let answer: (value: string) => void = () => undefined;
    const reading = cache.get('a', () => new Promise((resolve) => (answer = resolve)));
    await committed(unitOfWork, () => cache.forget('b'));
    answer('old');
    expect(await reading).toBe('old');
    expect(cache.peek('a')).toBeUndefined();
    const asked = cache.get('a', () => new Promise((resolve) => (answer = resolve)));
    await committed(unitOfWork, () => cache.forget('a'));
    expect(await get('a', 'new')).toBe('new');
    answer('old');
    expect(await asked).toBe('old');
    expect(cache.peek('a')).toBe('new');
  });

  it('reads through and stores nothing inside a unit of work', async () => {
    await get('a');
    await unitOfWork.run(async () => {
      expect(await get('a', 'changed')).toBe('changed');
      expect(await get('b')).toBe('value of b');
    });
    expect(await get('a')).toBe('value of a');
    expect(cache.peek('b')).toBeUndefined();
  });

  it('applies the invalidations of a unit of work after the commit, and drops them on rollback', async () => {
    await get('a');
    await unitOfWork.run(async () => {
      cache.forget('a');
      expect(cache.peek('a')).toBe('value of a');
    });
    expect(cache.peek('a')).toBeUndefined();
    await get('a');
    const failing = unitOfWork.run(async () => {
      cache.clear();
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(cache.peek('a')).toBe('value of a');
  });

  it('invalidates only inside a unit of work, so that other processes are notified', async () => {
    await get('a');
    const outside = [
      () => cache.forget('a'),
      () => cache.forgetGroup('letter', 'a'),
      () => cache.clear(),
      () => unitOfWork.afterCommit(() => cache.forget('a')),
    ];
    for (const forget of outside) expect(forget).toThrow('cache:specs must be invalidated in the');
    expect(cache.peek('a')).toBe('value of a');
  });

  it('invalidates a group, or everything', async () => {
    cache = new DatabaseCache(unitOfWork, {
      name: 'specs',
      maxBytes: MIB,
      keys,
      groups: { letter: (value, key, letter) => key.startsWith(letter) && value !== 'value of a2' },
    });
    for (const key of ['a1', 'a2', 'b1']) await get(key);
    await committed(unitOfWork, () => cache.forgetGroup('letter', 'a'));
    expect(['a1', 'a2', 'b1'].filter((key) => cache.peek(key) === undefined)).toEqual(['a1']);
    await committed(unitOfWork, () => cache.clear());
    expect(cache.peek('b1')).toBeUndefined();
  });

  it('stays within its bytes, and evicts the least recently used first', async () => {
    const small = new DatabaseCache<string | null>(unitOfWork, { name: 'specs', maxBytes: 4000, keys });
    const big = 'x'.repeat(1000);
    for (const key of ['a', 'b', 'c']) await get(key, big, small);
    await get('a', big, small);
    await get('d', big, small);
    expect(['a', 'b', 'c', 'd'].filter((key) => small.peek(key) === undefined)).toEqual(['b']);
  });

  it('keeps a value above its limit, alone', async () => {
    const small = new DatabaseCache<string | null>(unitOfWork, { name: 'specs', maxBytes: 4000, keys });
    await get('a', 'x', small);
    await get('b', 'x'.repeat(5000), small);
    expect(small.peek('a')).toBeUndefined();
    expect(small.peek('b')).toHaveLength(5000);
  });

  describe('for a key that cannot exist', () => {
    const id = 'b1f8zcm5wtd5jfzn8u5fxpbkje';
    const huge = 'x'.repeat(290_000);
    const made = <V extends NonNullable<unknown> | null>(shape: KeyShape<V>) =>
      new DatabaseCache<V>(unitOfWork, { name: 'specs', maxBytes: MIB, keepsMisses: true, keys: shape });

    it.each<[string, KeyShape<string | null>, string[], string[]]>([
      ['an id', idKeys(null), [id, 'я'.repeat(26)], ['', huge, id.slice(1), `${id} `, '../'.repeat(9)]],
      ['two ids', idPairKeys(null), [`${id} ${id}`], ['', id, huge, `${id} ${huge}`, `${huge} ${id}`]],
      ['short', shortKeys(64, null), ['', 'anna', 'x'.repeat(64)], [huge, 'x'.repeat(65)]],
    ])('because it is not %s, neither reads nor keeps anything', async (_, shape, possible, impossible) => {
      const own = made(shape);
      for (const key of possible) expect(await get(key, 'there', own)).toBe('there');
      expect(reads).toEqual(possible);
      for (const key of impossible) {
        expect(await get(key, 'there', own)).toBeNull();
        expect(own.peek(key)).toBeUndefined();
      }
      expect(reads).toEqual(possible);
      for (const key of possible) expect(own.peek(key)).toBe('there');
    });
  });
});
