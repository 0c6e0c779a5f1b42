import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OrderedHooks } from './ordered-hooks.js';

const hook = (id: string, createAt: number): OutgoingHook => ({ id, createAt }) as OutgoingHook;

describe('OrderedHooks', () => {
  const hooks = [hook('d', 1), hook('b', 2), hook('c', 2), hook('a', 3), hook('e', 9)];
  let ordered: OrderedHooks;

  beforeEach(() => {
    ordered = new OrderedHooks();
    for (const index of [3, 0, 4, 2, 1]) ordered.add(hooks[index]!);
  });

  it('keeps them oldest first, and by their ids if they are of the same age', () => {
    expect([...ordered]).toEqual(hooks);
    ordered.remove(hooks[2]!);
    ordered.remove(hook('unknown', 2));
    expect([...ordered].map(({ id }) => id).join('')).toBe('dbae');
    expect(ordered.size).toBe(4);
  });

  it('gives each page of what is left without some of them', () => {
    for (let left = 0; left < 2 ** hooks.length; left++) {
      const without = hooks.filter((_, index) => left & (1 << index));
      const others = hooks.filter((_, index) => !(left & (1 << index)));
      for (let offset = 0; offset <= 6; offset++)
        for (let count = 0; count <= 6; count++)
          expect(ordered.pageWithout(without, offset, count)).toEqual(others.slice(offset, offset + count));
    }
  });
});
