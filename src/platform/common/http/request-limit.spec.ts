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
  const send = (name: string, count: number, ip = `192.0.2.${name.charCodeAt(0)}`): Response[] => {
    const ofThisTest = started;
    return Array.from({ length: count }, (_, n) => {
      const response = new EventEmitter() as Response;
      limit.wait({ ip, isLocal: false } as HttpRequest, response, (error?: unknown) => {
        if (error) throw error as Error;
        ofThisTest.push(`${name}${n + 1}`);
      });
      return response;
    });
  };
  const answer = (response: Response | undefined): void => {
    if (response) Object.assign(response, { writableEnded: true });
    response?.emit('prefinish');
    response?.emit('close');
  };

  /** Lets the event loop run some iterations. */
  const iterate = async (times = 1): Promise<void> => {
    for (let n = 0; n < times; n++) await setImmediate();
  };

  it('runs a limited number of requests of an address, and the next when one is answered', async () => {
    const ofA = send('a', MAX_RUNNING + 2);
    await iterate(MAX_RUNNING + 5);
    expect(started).toHaveLength(MAX_RUNNING);
    answer(ofA[3]);
    await iterate(2);
    expect(started.slice(MAX_RUNNING)).toEqual([`a${MAX_RUNNING + 1}`]);
  });

  it('does not delay other addresses', () => {
    send('a', MAX_RUNNING + 1);
    send('b', 1);
    expect(started.at(-1)).toBe('b1');
  });

  it('frees places in the next iteration of the event loop, in order', async () => {
    for (const response of send('a', MAX_RUNNING)) answer(response);
    send('c', 1, '192.0.2.97');
    send('d', 1, '192.0.2.97');
    expect(started).toHaveLength(MAX_RUNNING);
    await iterate();
    expect(started.slice(MAX_RUNNING)).toEqual(['c1', 'd1']);
  });

  it('starts no second request of an address while connections arrive', async () => {
    answer(send('a', 1)[0]);
    for (let n = 0; n < 5; n++) {
      limit.onConnection();
      send('a', 1);
      await iterate();
    }
    expect(started).toHaveLength(1);
    send('b', 1);
    expect(started.at(-1)).toBe('b1');
    await iterate(3);
    expect(started.length).toBeGreaterThan(3);
  });

  it('eventually starts a request even if connections never stop arriving', async () => {
    limit.onConnection();
    send('a', 2);
    expect(started).toEqual(['a1']);
    while (started.length < 2) {
      limit.onConnection();
      await iterate();
    }
    expect(started).toEqual(['a1', 'a2']);
  });

  it('does not count a client that is still reading', async () => {
    const [slow] = send('a', MAX_RUNNING + 1);
    await iterate(MAX_RUNNING + 1);
    slow?.emit('prefinish');
    await iterate(2);
    expect(started).toHaveLength(MAX_RUNNING + 1);
  });

  it('counts the request of a disconnected client until its work ends', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    const [gone, lost] = send('a', MAX_RUNNING + 2);
    await iterate(MAX_RUNNING + 1);
    for (const response of [gone, lost]) response?.emit('close');
    await iterate(2);
    expect(started).toHaveLength(MAX_RUNNING);
    Object.assign(gone!, { writableEnded: true });
    jest.advanceTimersByTime(20);
    await iterate(2);
    expect(started).toHaveLength(MAX_RUNNING + 1);
    jest.advanceTimersByTime(60_000);
    await iterate(2);
    expect(started).toHaveLength(MAX_RUNNING + 2);
  });

  it('refuses requests when too many are waiting, and forgets those whose clients disconnect', () => {
    const second = send('a', MAX_RUNNING + MAX_WAITING)[MAX_RUNNING];
    expect(() => send('a', 1)).toThrow('Too many requests');
    expect(() => send('b', 1)).not.toThrow();
    second?.emit('close');
    expect(() => send('a', 1)).not.toThrow();
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

  it('keeps nothing once all requests are answered', async () => {
    const responses = [...send('a', MAX_RUNNING * 2), ...send('b', 3)];
    for (const response of responses) {
      answer(response);
      await iterate();
    }
    await iterate(2);
    expect(limit['callers'].size).toBe(0);
  });
});
