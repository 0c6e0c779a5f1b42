import fc from 'fast-check';
import { Fifo } from './fifo.js';

describe('Fifo', () => {
  it('gives what an array gives, in the same order', () => {
    const steps = fc.array(fc.oneof(fc.nat(3_000), fc.constant('shift'), fc.constant('clear')), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(steps, (list) => {
        const [fifo, array] = [new Fifo<number>(), [] as number[]];
        let next = 1;
        for (const step of list) {
          if (step === 'clear') expect(fifo.clear()).toEqual(array.splice(0));
          else if (step === 'shift')
            for (let index = 0; index < 1_500; index++) expect(fifo.shift()).toBe(array.shift());
          else
            for (let index = 0; index < Number(step); index++) {
              fifo.push(next);
              array.push(next++);
            }
          expect(fifo.size).toBe(array.length);
        }
        expect(fifo.clear()).toEqual(array);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps nothing that it has given away, and little room for it', () => {
    const fifo = new Fifo<object>();
    const items = (): (object | undefined)[] => fifo['items'];
    for (let index = 0; index < 3_000; index++) fifo.push({});
    for (let index = 0; index < 1_500; index++) fifo.shift();
    expect(
      items()
        .slice(0, 1_500)
        .every((item) => item === undefined),
    ).toBe(true);
    expect(items()).toHaveLength(3_000);
    fifo.shift();
    expect(items()).toHaveLength(1_499);
  });

  it('leaves few items where they are', () => {
    const fifo = new Fifo<number>();
    for (let index = 0; index < 1_025; index++) fifo.push(index);
    for (let index = 0; index < 1_024; index++) fifo.shift();
    expect(fifo['items']).toHaveLength(1_025);
    expect(fifo.shift()).toBe(1_024);
    expect(fifo['items']).toHaveLength(0);
    expect(fifo.shift()).toBeUndefined();
    expect(fifo.size).toBe(0);
  });
});
