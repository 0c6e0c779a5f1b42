import type { Writable } from 'node:stream';
import { WriteBatch } from './live-socket.js';

const turn = (): Promise<void> => new Promise(setImmediate);

describe('WriteBatch', () => {
  afterEach(() => jest.restoreAllMocks());

  it('sends what is written in one turn at its end', async () => {
    const calls: string[] = [];
    const stream = { cork: () => calls.push('cork'), uncork: () => calls.push('uncork') };
    const batch = new WriteBatch();
    batch.hold(stream as unknown as Writable);
    batch.hold(stream as unknown as Writable);
    expect(calls).toEqual(['cork']);
    await turn();
    expect(calls).toEqual(['cork', 'uncork']);
  });

  it('takes several turns for many streams, and forgets none', async () => {
    let [now, sent] = [performance.now(), 0];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const batch = new WriteBatch();
    const send = (): void => {
      sent++;
      now += 1; // each takes a millisecond
    };
    for (let n = 0; n < 100; n++) batch.hold({ cork: () => undefined, uncork: send } as unknown as Writable);
    const bySteps: number[] = [];
    while (sent < 100) {
      const before = sent;
      await turn();
      bySteps.push(sent - before);
    }
    expect(Math.max(...bySteps)).toBeLessThan(10);
  });
});
