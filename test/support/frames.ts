import type { EventFrames } from '../../src/messaging/live/live-event.js';

/** The text of an event frame with that number, as read by a client; its length must match its header. */
export function readFrame(event: EventFrames, seq: number): string {
  const frame = Buffer.concat([event.start, Buffer.from(event.end(seq))]);
  if (frame[0] !== 0x81) throw new Error('This is not a whole text frame.');
  const [length, head] =
    frame[1]! < 126
      ? [frame[1]!, 2]
      : frame[1] === 126
        ? [frame.readUInt16BE(2), 4]
        : [Number(frame.readBigUInt64BE(2)), 10];
  if (frame.length !== head + length) throw new Error(`${length} bytes were announced.`);
  return frame.toString('utf8', head);
}
