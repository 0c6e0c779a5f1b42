import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import type { HttpRequest } from './http-request.js';
import { MAX_RUNNING, RequestLimit } from './request-limit.js';

const MAX_WAITING = 1_000;

describe('RequestLimit', () => {
  let limit: RequestLimit;
  let started: string[];

  beforeEach(() => {
    limit = new RequestLimit();
    started = [];
  });
  afterEach(() => jest.useRealTimers());

  /** Sends requests named `a1`, `a2`, … from an address. */
  const send = (name: string, count: number, ip = `192.0.2.${name.charCodeAt(0)}`): Response[] =>
    Array.from({ length: count }, (_, n) => {
      const response = new EventEmitter() as Response;
      limit.wait({ ip, isLocal: false } as HttpRequest, response, (error?: unknown) => {
        if (error) throw error as Error;
        started.push(`${name}${n + 1}`);
      });
      return response;
    });
  const answer = (response: Response | undefined): void => {
    if (response) Object.assign(response, { writableEnded: true });
    response?.emit('prefinish');
    response?.emit('close');
  };

  it('runs a limited number of requests of an address, and the next when one is answered', async () => {
    const ofA = send('a', MAX_RUNNING + 2);
    expect(started).toHaveLength(MAX_RUNNING);
    answer(ofA[3]);
    await setImmediate();
    expect(started.slice(MAX_RUNNING)).toEqual([`a${MAX_RUNNING + 1}`]);
  });

  it('does not delay other addresses', () => {
    send('a', MAX_RUNNING + 1);
    send('b', 1);
    expect(started.at(-1)).toBe('b1');
  });

  it('frees places in the next iteration of the event loop', async () => {
    for (const response of send('a', MAX_RUNNING)) answer(response);
    send('a', 1);
    expect(started).toHaveLength(MAX_RUNNING);
    await setImmediate();
    expect(started).toHaveLength(MAX_RUNNING + 1);
  });

  it('keeps the order: a new request waits behind earlier ones', async () => {
    const [first] = send('a', MAX_RUNNING + 1);
    answer(first);
    send('a', 1);
    await setImmediate();
    expect(started.at(-1)).toBe(`a${MAX_RUNNING + 1}`);
  });

  it('does not count a client that is still reading', async () => {
    const [slow] = send('a', MAX_RUNNING + 1);
    slow?.emit('prefinish');
    await setImmediate();
    expect(started).toHaveLength(MAX_RUNNING + 1);
  });

  it('counts the request of a disconnected client until its work ends', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    const [gone, lost] = send('a', MAX_RUNNING + 2);
    for (const response of [gone, lost]) response?.emit('close');
    await setImmediate();
    expect(started).toHaveLength(MAX_RUNNING);
    Object.assign(gone!, { writableEnded: true });
    jest.advanceTimersByTime(20);
    await setImmediate();
    expect(started).toHaveLength(MAX_RUNNING + 1);
    jest.advanceTimersByTime(60_000);
    await setImmediate();
    expect(started).toHaveLength(MAX_RUNNING + 2);
  });

  it('refuses requests when too many are waiting, and forgets those whose clients disconnect', async () => {
    const [first, ...rest] = send('a', MAX_RUNNING + MAX_WAITING);
    expect(() => send('a', 1)).toThrow('Too many requests');
    expect(() => send('b', 1)).not.toThrow();
    rest[MAX_RUNNING - 1]?.emit('close'); // the first of those that wait
    expect(() => send('a', 1)).not.toThrow();
    answer(first);
    await setImmediate();
    expect(started.at(-1)).toBe(`a${MAX_RUNNING + 2}`);
  });

  it('does not start requests of clients that have disconnected', () => {
    const response = Object.assign(new EventEmitter(), { closed: true }) as unknown as Response;
    limit.wait({ ip: '192.0.2.9', isLocal: false } as HttpRequest, response, () => started.push('gone'));
    expect(started).toEqual([]);
  });

  it('treats the /64 of an IPv6 address as one address', () => {
    send('a', MAX_RUNNING, '2001:db8::1');
    send('c', 1, '2001:db8::2');
    send('d', 1, '2001:db8:0:1::2');
    expect(started.slice(MAX_RUNNING)).toEqual(['d1']);
  });

  it('keeps nothing in the end', async () => {
    const responses = [...send('a', MAX_RUNNING * 2), ...send('b', 3)];
    for (const response of responses) {
      answer(response);
      await setImmediate();
    }
    expect(limit['callers'].size).toBe(0);
  });
});
