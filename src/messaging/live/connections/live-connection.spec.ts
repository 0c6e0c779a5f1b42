import { EventFrames, FrameWindow } from '../live-event.js';
import { LiveLimits } from '../live-limits.js';
import { LiveConnection, LiveUser } from './live-connection.js';
import type { LiveSocket } from './live-socket.js';
import { readFrame } from '../../../../test/support/frames.js';

class RecordingSocket {
  connection: LiveConnection | undefined;
  isSlow = false;
  readonly sent: { text: string; seq: number }[] = [];
  sendEvent(event: EventFrames, seq: number): void {
    this.sent.push(JSON.parse(readFrame(event, seq)) as { text: string; seq: number });
  }
  get seqs(): number[] {
    return this.sent.map(({ seq }) => seq);
  }
}

const text = (name: string): EventFrames => new EventFrames(`{"text":"${name}","seq":`);

function connect(limits = new LiveLimits()): { connection: LiveConnection; socket: RecordingSocket } {
  const connection = new LiveConnection(
    'id',
    new LiveUser('u', new FrameWindow(1_000)),
    { sessionId: 's', token: 't', expiresAt: 0 },
    limits,
  );
  const socket = new RecordingSocket();
  connection.attach(socket as unknown as LiveSocket, 0);
  return { connection, socket };
}

function resume(connection: LiveConnection, seq: number): RecordingSocket {
  const socket = new RecordingSocket();
  connection.attach(socket as unknown as LiveSocket, seq);
  return socket;
}

describe('LiveConnection', () => {
  it('numbers events from 0 without gaps', () => {
    const { connection, socket } = connect();
    for (let i = 0; i < 300; i++) connection.deliver(text(`e${i}`), false);
    expect(socket.seqs).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(socket.sent[299]?.text).toBe('e299');
  });

  it('resends what a lost connection missed, and continues', () => {
    const { connection } = connect();
    for (let i = 0; i < 10; i++) connection.deliver(text(`e${i}`), false);
    connection.park(0);
    connection.deliver(text('while away'), false);
    expect(connection.canResume(7, 1)).toBe(true);
    const socket = resume(connection, 7);
    expect(socket.sent.map((frame) => frame.text)).toEqual(['e7', 'e8', 'e9', 'while away']);
    expect(socket.seqs).toEqual([7, 8, 9, 10]);
    connection.deliver(text('next'), false);
    expect(socket.seqs).toEqual([7, 8, 9, 10, 11]);
  });

  it('can be resumed without missed events, but not from a future number', () => {
    const { connection } = connect();
    connection.deliver(text('hello'), false);
    expect(connection.canResume(1, 0)).toBe(true);
    expect(connection.canResume(2, 0)).toBe(false);
  });

  it('keeps the newest 128 events', () => {
    const { connection } = connect();
    for (let i = 0; i < 200; i++) connection.deliver(text(`e${i}`), false);
    expect(connection.canResume(72, 0)).toBe(true);
    expect(connection.canResume(71, 0)).toBe(false);
    expect(resume(connection, 72).sent[0]).toEqual({ text: 'e72', seq: 72 });
  });

  it('stays within its memory limit', () => {
    const limits = new LiveLimits();
    limits.resumeChars = 1_000;
    const { connection } = connect(limits);
    for (let i = 0; i < 5; i++) connection.deliver(text('x'.repeat(400)), false);
    expect(connection.canResume(2, 0)).toBe(false);
    expect(connection.canResume(3, 0)).toBe(true);
  });

  it('keeps an event above the limit as the only one', () => {
    const limits = new LiveLimits();
    limits.resumeChars = 100;
    const { connection } = connect(limits);
    connection.deliver(text('a'), false);
    connection.deliver(text('x'.repeat(400)), false);
    expect(connection.canResume(0, 0)).toBe(false);
    expect(resume(connection, 1).seqs).toEqual([1]);
  });

  it('cannot be resumed after the time limit', () => {
    const { connection } = connect();
    connection.park(1_000);
    expect(connection.canResume(0, 61_000)).toBe(true);
    expect(connection.canResume(0, 61_001)).toBe(false);
  });

  it('is lost once unsent events were discarded', () => {
    const { connection } = connect();
    connection.deliver(text('hello'), false);
    connection.park(0);
    for (let i = 0; i < 128; i++) connection.deliver(text(`e${i}`), false);
    expect(connection.isLost).toBe(false);
    connection.deliver(text('one too many'), false);
    expect(connection.isLost).toBe(true);
  });

  it('skips droppable events for a slow client, without a gap', () => {
    const { connection, socket } = connect();
    connection.deliver(text('a'), false);
    socket.isSlow = true;
    expect(connection.deliver(text('typing'), true)).toBe(false);
    connection.deliver(text('b'), false);
    expect(socket.sent.map((frame) => frame.text)).toEqual(['a', 'b']);
    expect(socket.seqs).toEqual([0, 1]);
  });
});
