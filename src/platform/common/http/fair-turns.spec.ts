import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { TooManyRequests } from '../errors/common-errors.js';
import { FairTurns } from './fair-turns.js';
import type { HttpRequest } from './http-request.js';

const MIB = 1024 * 1024;

describe('FairTurns', () => {
  let isBusy: boolean;
  let turns: FairTurns;
  let started: string[];

  beforeEach(() => {
    isBusy = true;
    turns = new FairTurns(() => isBusy);
    started = [];
  });

  const from = (ip: string): HttpRequest => ({ ip, isLocal: false }) as HttpRequest;

  /** Sends requests named `a1`, `a2`, … from an address. */
  const send = (name: string, count: number, ip = `192.0.2.${name.charCodeAt(0)}`): Response[] =>
    Array.from({ length: count }, (_, n) => {
      const response = new EventEmitter() as Response;
      turns.wait(from(ip), response, (error?: unknown) => {
        if (error) throw error as Error;
        started.push(`${name}${n + 1}`);
      });
      return response;
    });
  const answer = (response: Response | undefined): void => {
    response?.emit('prefinish');
    response?.emit('close');
  };

  it('lets an address that is alone have any number', () => {
    send('a', 100);
    expect(started).toHaveLength(100);
  });

  it('lets everybody have any number while there is time to spare', () => {
    isBusy = false;
    send('b', 1);
    send('a', 100);
    expect(started).toHaveLength(101);
  });

  it('lets each have eight while it is busy with several, and the next when one is answered', () => {
    send('b', 1);
    const ofA = send('a', 20);
    expect(started).toHaveLength(1 + 8);
    send('c', 1);
    expect(started.at(-1)).toBe('c1');
    answer(ofA[0]);
    answer(ofA[3]);
    expect(started.slice(-2)).toEqual(['a9', 'a10']);
  });

  it('lets all go on once there is time to spare', () => {
    send('b', 1);
    const ofA = send('a', 20);
    isBusy = false;
    answer(ofA[0]);
    expect(started).toHaveLength(1 + 20);
  });

  it('passes over callers who have gone', () => {
    send('b', 1);
    const ofA = send('a', 10);
    Object.assign(ofA[8]!, { closed: true });
    answer(ofA[0]);
    expect(started.slice(-1)).toEqual(['a10']);
  });

  it('takes the /64 of an IPv6 address for one', () => {
    send('b', 1);
    send('a', 8, '2001:db8::1');
    send('c', 1, '2001:db8::2');
    expect(started).not.toContain('c1');
    send('d', 1, '2001:db8:0:1::2');
    expect(started).toContain('d1');
  });

  it('refuses what waits behind a thousand others', () => {
    send('b', 1);
    send('a', 8 + 1_000);
    expect(() => send('a', 1)).toThrow(TooManyRequests);
    expect(() => send('c', 1)).not.toThrow();
  });

  it('bounds the bytes of bodies for each and for all, until they are answered', () => {
    const response = new EventEmitter() as Response;
    const fits = turns.body(from('192.0.2.1'), response);
    expect([fits(47 * MIB), fits(2 * MIB), fits(1 * MIB)]).toEqual([true, false, true]);
    const others = [2, 3].map((n) => turns.body(from(`192.0.2.${n}`), new EventEmitter() as Response));
    expect(others.map((body) => body(40 * MIB))).toEqual([true, true]);
    const last = turns.body(from('192.0.2.4'), new EventEmitter() as Response);
    expect(last(1)).toBe(false);
    response.emit('close');
    expect(last(40 * MIB)).toBe(true);
  });

  it('forgets everybody in the end', () => {
    const responses = [...send('a', 30), ...send('b', 3)];
    const response = new EventEmitter() as Response;
    turns.body(from('192.0.2.9'), response)(5);
    for (const one of [...responses, response]) answer(one);
    expect(turns['callers'].size).toBe(0);
  });
});
