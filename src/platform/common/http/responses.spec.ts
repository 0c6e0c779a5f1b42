import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { FairTurns } from './fair-turns.js';
import type { HttpRequest } from './http-request.js';
import { writeContent, writeJson } from './responses.js';

const MIB = 1024 * 1024;
const ADDRESS = '192.0.2.1';

/** A response to a client that reads nothing until `takes`. */
class SlowResponse extends EventEmitter {
  readonly req = { method: 'POST', headers: {} };
  statusCode = 200;
  sent = 0;
  destroyed = false;
  writableEnded = false;
  setHeader = (): this => this;
  getHeader = (): undefined => undefined;

  write(chunk: Buffer): boolean {
    this.sent += chunk.length;
    return false;
  }

  end(): void {
    this.writableEnded = true;
    this.emit('prefinish');
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  takes(): void {
    this.emit('drain');
  }
}

/** All are long responses; the second and third have few parts, or one. */
const ANSWERS: Record<string, (response: Response) => void> = {
  'of many items': (response) => writeJson(response, 200, new Array(1_000).fill('x'.repeat(4_000))),
  'of a few large ones': (response) => writeJson(response, 200, { posts: ['x'.repeat(4 * MIB)] }),
  'that is complete': (response) => writeContent(response, 'x'.repeat(4 * MIB)),
};

describe.each(Object.entries(ANSWERS))('a long answer %s', (_, write) => {
  let turns: FairTurns;
  let response: SlowResponse;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
    turns = new FairTurns(() => false);
    response = new SlowResponse();
    const request = { ip: ADDRESS, isLocal: false, method: 'GET', url: '/', body: Buffer.alloc(0) };
    turns.wait(request as HttpRequest, response as never, () => write(response as never));
  });
  afterEach(() => jest.useRealTimers());

  const untilWritten = async (): Promise<void> => {
    while (response.sent === 0) await new Promise(setImmediate);
  };
  /** Whether the address has room for this many more bytes. */
  const hasRoomFor = (bytes: number): boolean => {
    const probe = new EventEmitter() as Response;
    const refusal = turns.body({ ip: ADDRESS, isLocal: false } as HttpRequest, probe).take(bytes);
    probe.emit('close');
    return refusal === undefined;
  };

  it('counts with the bytes of its address until its client has gone', async () => {
    await untilWritten();
    expect(hasRoomFor(45 * MIB)).toBe(false);
    expect(hasRoomFor(43 * MIB)).toBe(true);
    response.destroy();
    expect(hasRoomFor(48 * MIB)).toBe(true);
  });

  it('is cut off when its client takes nothing for half a minute, and not when it is slow', async () => {
    await untilWritten();
    for (let parts = 1; parts < 4; parts++) {
      jest.advanceTimersByTime(29_000);
      const before = response.sent;
      response.takes();
      while (response.sent === before) await new Promise(setImmediate);
      expect(response.sent - before).toBeLessThanOrEqual(128 * 1024);
    }
    expect(response.destroyed).toBe(false);
    jest.advanceTimersByTime(30_000);
    expect(response.destroyed).toBe(true);
  });

  it('is sent whole to a client that takes it', async () => {
    response.write = (chunk: Buffer): boolean => {
      response.sent += chunk.length;
      return true;
    };
    while (!response.writableEnded) {
      response.takes();
      await new Promise(setImmediate);
    }
    expect(response.sent).toBeGreaterThan(3 * MIB);
  });
});
