import type { Writable } from 'node:stream';
import { WriteBatch } from './live-socket.js';

const turn = (): Promise<void> => new Promise(setImmediate);

describe('WriteBatch', () => {
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
    let sent = 0;
    const batch = new WriteBatch();
    const uncork = (): void => void sent++;
    for (let n = 0; n < 1_000; n++) batch.hold({ cork: () => undefined, uncork } as unknown as Writable);
    const bySteps: number[] = [];
    while (sent < 1_000) {
      const before = sent;
      await turn();
      bySteps.push(sent - before);
    }
    expect(bySteps).toEqual([256, 256, 256, 232]);
  });
});
