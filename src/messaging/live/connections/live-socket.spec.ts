import { EventEmitter } from 'node:events';
import { LiveLimits } from '../live-limits.js';
import { LiveSocket, WriteBatch } from './live-socket.js';
import type { Writable } from 'node:stream';

function open(): { socket: LiveSocket; calls: string[]; seenAt: number } {
  const calls: string[] = [];
  const webSocket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    ping: () => calls.push('ping'),
    terminate: () => calls.push('terminate'),
  });
  const seenAt = 1_000;
  const now = jest.spyOn(performance, 'now').mockReturnValue(seenAt);
  const socket = new LiveSocket(webSocket as never, {} as never, {} as never, new LiveLimits(), {
    address: '',
    resume: undefined,
  });
  now.mockRestore();
  return { socket, calls, seenAt };
}

describe('LiveSocket', () => {
  it('is pinged every minute', () => {
    const { socket, calls, seenAt } = open();
    expect(socket.checkPulse(seenAt + 59_999)).toBe(false);
    expect(socket.checkPulse(seenAt + 60_000)).toBe(true);
    expect(socket.checkPulse(seenAt + 60_001)).toBe(false);
    expect(calls).toEqual(['ping']);
  });

  it('is dead after 100 seconds of silence', () => {
    const { socket, calls, seenAt } = open();
    socket.checkPulse(seenAt + 100_000);
    expect(calls).toEqual(['ping']);
    expect(socket.checkPulse(seenAt + 100_001)).toBe(false);
    expect(calls).toEqual(['ping', 'terminate']);
  });
});

const turn = (): Promise<void> => new Promise(setImmediate);

describe('WriteBatch', () => {
  it('sends everything written in one turn at its end', async () => {
    const calls: string[] = [];
    const stream = { cork: () => calls.push('cork'), uncork: () => calls.push('uncork') };
    const batch = new WriteBatch();
    batch.hold(stream as unknown as Writable);
    batch.hold(stream as unknown as Writable);
    expect(calls).toEqual(['cork']);
    await turn();
    expect(calls).toEqual(['cork', 'uncork']);
  });

  it('uses several turns for many streams, and forgets none', async () => {
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
