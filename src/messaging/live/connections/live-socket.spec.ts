import { EventEmitter } from 'node:events';
import { LiveLimits } from '../live-limits.js';
import { LiveSocket } from './live-socket.js';

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
