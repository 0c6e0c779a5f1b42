import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { ByteRoom } from './byte-room.js';
import type { HttpRequest } from './http-request.js';

const MIB = 1024 * 1024;

describe('ByteRoom', () => {
  let room: ByteRoom;
  let cut: string[];

  beforeEach(() => {
    room = new ByteRoom();
    cut = [];
  });

  /** Starts a body. */
  const body = (ip: string, name = ip) => {
    const response = new EventEmitter() as Response;
    const request = { ip, isLocal: false, destroy: () => cut.push(name) } as unknown as HttpRequest;
    const { take, finish } = room.open(request, response);
    const fits = (mib: number): boolean => take(mib * MIB) === undefined;
    return { take: fits, finish, answer: () => response.emit('close') };
  };

  it('bounds the bytes of an address until its requests are answered', () => {
    const first = body('192.0.2.1');
    expect([first.take(47), first.take(2), first.take(1)]).toEqual([true, false, true]);
    first.finish();
    expect(body('192.0.2.1').take(1)).toBe(false);
    first.answer();
    expect(body('192.0.2.1').take(48)).toBe(true);
  });

  it('does not count for a client that has disconnected, since nothing would release the bytes', () => {
    const gone = Object.assign(new EventEmitter(), { closed: true }) as unknown as Response;
    const request = { ip: '192.0.2.1', isLocal: false } as HttpRequest;
    expect(room.open(request, gone).take(48 * MIB)).toBeUndefined();
    expect(body('192.0.2.1').take(48)).toBe(true);
  });

  it('counts a new body of an address when one that was empty has closed', () => {
    const [empty, late] = [body('192.0.2.1'), body('192.0.2.1')];
    expect(late.take(40)).toBe(true);
    empty.answer();
    expect(body('192.0.2.1').take(40)).toBe(false);
  });

  it('cuts off the oldest unfinished body of the address with the most', () => {
    const held = [10, 20, 18].map((mib, index) => ({ mib, one: body('192.0.2.1', `first ${index}`) }));
    for (const { mib, one } of held) expect(one.take(mib)).toBe(true);
    for (const ip of ['192.0.2.2', '192.0.2.3']) expect(body(ip).take(40)).toBe(true);
    const late = body('192.0.2.4');
    expect(late.take(1)).toBe(true);
    expect(cut).toEqual(['first 0']);
    expect(late.take(20)).toBe(true);
    expect(cut).toEqual(['first 0', '192.0.2.2']);
    held[0]!.one.answer();
    expect(late.take(20)).toBe(true);
  });

  it('cuts off no complete body, and refuses further bytes instead', () => {
    const complete = [1, 2, 3].map((n) => body(`192.0.2.${n}`));
    for (const one of complete) {
      one.take(42);
      one.finish();
    }
    const late = body('192.0.2.4');
    expect([late.take(2), late.take(1)]).toEqual([true, false]);
    expect(cut).toEqual([]);
  });
});
