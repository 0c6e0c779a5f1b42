import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { FairTurns } from './fair-turns.js';
import type { HttpRequest } from './http-request.js';

const MIB = 1024 * 1024;

describe('FairTurns', () => {
  let isBusy: boolean;
  let turns: FairTurns;
  let started: string[];
  /** Waiters for an iteration with time left, and whether the current one has none. */
  let later: (() => void)[];
  let isLong: boolean;
  /** Claims of requests that run while several addresses send some. */
  let claims: number;

  beforeEach(() => {
    isBusy = true;
    [isLong, claims] = [false, 0];
    later = [];
    turns = new FairTurns(() => isBusy, {
      get isLong() {
        return isLong;
      },
      next: () => new Promise((resolve) => later.push(resolve)),
      claim: (_caller, work) => (claims++, work()),
      release: () => claims--,
    });
    started = [];
    jest.useFakeTimers({ doNotFake: ['performance'] });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const from = (ip: string, body = ''): HttpRequest =>
    ({
      ip,
      isLocal: false,
      method: 'POST',
      url: `/hooks/${'a'.repeat(26)}`,
      body: Buffer.from(body),
    }) as HttpRequest;

  /** Sends requests named `a1`, `a2`, … from an address. */
  const send = (
    name: string,
    count: number,
    ip = `192.0.2.${name.charCodeAt(0)}`,
    more: Partial<HttpRequest> = {},
  ): Response[] =>
    Array.from({ length: count }, (_, n) => {
      const response = new EventEmitter() as Response;
      turns.wait({ ...from(ip), ...more } as HttpRequest, response, (error?: unknown) => {
        if (error) throw error as Error;
        started.push(`${name}${n + 1}`);
      });
      return response;
    });
  const rest = (): void => void jest.advanceTimersByTime(5);
  const answer = (response: Response | undefined): void => {
    if (response) Object.assign(response, { writableEnded: true });
    response?.emit('prefinish');
    response?.emit('close');
  };

  it('lets an address that is alone have 256, and the next when one is answered', () => {
    const ofA = send('a', 300);
    expect(started).toHaveLength(256);
    answer(ofA[0]);
    expect(started).toHaveLength(257);
  });

  it('lets everybody have as many while there is time to spare', () => {
    isBusy = false;
    send('b', 1);
    send('a', 300);
    expect(started).toHaveLength(1 + 256);
  });

  it('keeps the places of a request whose client has gone until its work has ended', () => {
    const ofA = send('a', 257);
    ofA[0]?.emit('close');
    rest();
    expect(started).toHaveLength(256);
    Object.assign(ofA[0]!, { writableEnded: true });
    jest.advanceTimersByTime(20);
    expect(started).toHaveLength(257);
    ofA[1]?.emit('close');
    jest.advanceTimersByTime(60_000);
    expect(turns['callers'].size).toBe(1);
  });

  it('lets each have sixteen while it is busy with several, and the next when one is answered', () => {
    send('b', 1);
    const ofA = send('a', 40);
    expect(started).toHaveLength(1 + 16);
    send('c', 1);
    expect(started.at(-1)).toBe('c1');
    answer(ofA[0]);
    answer(ofA[3]);
    rest();
    expect(started.slice(-2)).toEqual(['a17', 'a18']);
  });

  it.each([
    ['another request', { url: '/api/v4/users/me' }],
    ['a large post through a webhook', { body: Buffer.alloc(20_000) }],
  ])('lets each have one of what costs more: %s', (_, more) => {
    send('b', 1);
    const ofA = send('a', 5, undefined, more);
    expect(started).toHaveLength(1 + 1);
    answer(ofA[0]);
    rest();
    expect(started.slice(-1)).toEqual(['a2']);
  });

  it('lets those who waited go on with the next that comes when there is time to spare', () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    send('b', 1);
    send('a', 2, undefined, { url: '/api/v4/hooks/outgoing/x/test' });
    expect(started).toEqual(['b1', 'a1']);
    isBusy = false;
    now = 1_000;
    send('a', 1, undefined, { url: '/api/v4/users/me' });
    expect(started).toEqual(['b1', 'a1', 'a2', 'a1']);
  });

  it('lets others go on beside requests that take long, up to sixteen', () => {
    send('b', 1);
    const ofA = send('a', 20, undefined, { url: '/api/v4/hooks/outgoing/x/test' });
    expect(started).toHaveLength(1 + 1);
    for (let second = 2; second <= 16; second++) {
      jest.advanceTimersByTime(1_005);
      expect(started).toHaveLength(1 + second);
    }
    jest.advanceTimersByTime(5_000);
    expect(started).toHaveLength(1 + 16);
    answer(ofA[3]);
    rest();
    expect(started.at(-1)).toBe('a17');
  });

  it('begins nothing in a turn of the event loop that has been long', async () => {
    isLong = true;
    send('a', 1);
    const [gone] = send('b', 20);
    expect(started).toEqual([]);
    Object.assign(gone!, { closed: true });
    for (const go of later) go();
    await Promise.resolve();
    expect(started).toEqual(['a1', ...Array.from({ length: 15 }, (_, n) => `b${n + 2}`)]);
    rest();
    expect(later).toHaveLength(18); // the place of the disconnected one is reused
  });

  it('lets an address rest before its next, also when its answers take no time', () => {
    send('b', 1);
    const ofA = send('a', 60);
    for (const response of ofA.slice(0, 16)) answer(response);
    expect(started).toHaveLength(1 + 16);
    send('a', 1);
    expect(started).toHaveLength(1 + 16);
    rest();
    expect(started).toHaveLength(1 + 32);
    for (const response of ofA.slice(16, 32)) answer(response);
    rest();
    expect(started).toHaveLength(1 + 48);
  });

  it('gives places back one after the other once there is time to spare', () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const startedOf = (name: string): number => {
      send(name, 100, undefined, { url: '/api/v4/users/me' });
      return started.filter((one) => one.startsWith(name)).length;
    };
    send('b', 1);
    expect(startedOf('a')).toBe(1);
    isBusy = false;
    now = 60;
    expect(startedOf('c')).toBe(2);
    now = 160;
    expect(startedOf('d')).toBe(4);
    now = 1_000;
    expect(startedOf('e')).toBe(16);
  });

  it('passes over callers who have gone', () => {
    send('b', 1);
    const ofA = send('a', 20);
    Object.assign(ofA[16]!, { closed: true });
    answer(ofA[0]);
    rest();
    expect(started.slice(-1)).toEqual(['a18']);
  });

  it('holds nothing for those who go while they wait, neither a place nor their body', () => {
    send('b', 1);
    const [running, ...waiting] = send('a', 1_016);
    expect(() => send('a', 1)).toThrow('Too many requests');
    for (const response of waiting.slice(20)) response.emit('close');
    const later = send('a', 3);
    answer(running);
    rest();
    for (const response of waiting.slice(0, 20)) answer(response);
    for (let n = 0; n < 4; n++) rest();
    expect(started.slice(-3)).toEqual(['a1', 'a2', 'a3']);
    expect(later).toHaveLength(3);
  });

  it('starts nothing for callers who have gone before it is their turn', () => {
    send('b', 1);
    const response = Object.assign(new EventEmitter(), { closed: true }) as unknown as Response;
    turns.wait(from('192.0.2.9'), response, () => started.push('gone'));
    expect(started).toEqual(['b1']);
  });

  it('takes the /64 of an IPv6 address for one', () => {
    send('b', 1);
    send('a', 16, '2001:db8::1');
    send('c', 1, '2001:db8::2');
    expect(started).not.toContain('c1');
    send('d', 1, '2001:db8:0:1::2');
    expect(started).toContain('d1');
  });

  it('refuses what waits behind a thousand others', () => {
    send('b', 1);
    send('a', 16 + 1_000);
    expect(() => send('a', 1)).toThrow('Too many requests');
    expect(() => send('c', 1)).not.toThrow();
  });

  describe('of bodies', () => {
    const cut: string[] = [];
    beforeEach(() => cut.splice(0));

    /** Starts a body. */
    const body = (ip: string, name = ip) => {
      const response = new EventEmitter() as Response;
      const request = { ip, isLocal: false, destroy: () => cut.push(name) } as unknown as HttpRequest;
      const { take, finish } = turns.body(request, response);
      const fits = (bytes: number): boolean => take(bytes) === undefined;
      return { take: fits, finish, answer: () => response.emit('close') };
    };

    it('bounds the bytes of each, until they are answered', () => {
      const first = body('192.0.2.1');
      expect([first.take(47 * MIB), first.take(2 * MIB), first.take(1 * MIB)]).toEqual([true, false, true]);
      first.finish();
      expect(body('192.0.2.1').take(1)).toBe(false);
      first.answer();
      expect(body('192.0.2.1').take(48 * MIB)).toBe(true);
    });

    it('counts none for a client that has gone, since nothing would release it', () => {
      const gone = Object.assign(new EventEmitter(), { closed: true }) as unknown as Response;
      const { take } = turns.body(from('192.0.2.1'), gone);
      expect(take(48 * MIB)).toBeUndefined();
      expect(body('192.0.2.1').take(48 * MIB)).toBe(true);
    });

    it('counts those that are still empty when others of their address are answered', () => {
      const slow = [body('192.0.2.1', 'slow 0'), body('192.0.2.1', 'slow 1')];
      answer(send('a', 1, '192.0.2.1')[0]);
      expect(slow.map(({ take }) => take(40 * MIB))).toEqual([true, false]);
      expect(body('192.0.2.1').take(40 * MIB)).toBe(false);
      for (const ip of ['192.0.2.2', '192.0.2.3']) expect(body(ip).take(44 * MIB)).toBe(true);
      expect(body('192.0.2.4').take(3 * MIB)).toBe(true);
      expect(cut).toHaveLength(1);
    });

    it('counts a new body when one that was empty has closed', () => {
      const [empty, late] = [body('192.0.2.1'), body('192.0.2.1')];
      expect(late.take(40 * MIB)).toBe(true);
      empty.answer();
      expect(body('192.0.2.1').take(40 * MIB)).toBe(false);
    });

    it('takes the room of who holds most of it with bodies that do not end, the oldest first', () => {
      const held = [10, 20, 18].map((mib, index) => ({ mib, held: body('192.0.2.1', `first ${index}`) }));
      for (const { mib, held: one } of held) expect(one.take(mib * MIB)).toBe(true);
      for (const ip of ['192.0.2.2', '192.0.2.3']) expect(body(ip).take(40 * MIB)).toBe(true);
      const late = body('192.0.2.4');
      expect(late.take(1)).toBe(true);
      expect(cut).toEqual(['first 0']);
      expect(late.take(20 * MIB)).toBe(true);
      expect(cut).toEqual(['first 0', '192.0.2.2']);
      held[0]!.held.answer();
      expect(late.take(20 * MIB)).toBe(true);
    });

    it('cuts off none that is complete, and refuses who holds the most', () => {
      const complete = [1, 2, 3].map((n) => body(`192.0.2.${n}`));
      for (const one of complete) {
        one.take(42 * MIB);
        one.finish();
      }
      const late = body('192.0.2.4');
      expect([late.take(2 * MIB), late.take(1 * MIB)]).toEqual([true, false]);
      expect(cut).toEqual([]);
    });
  });

  it('forgets everybody in the end', () => {
    const responses = [...send('a', 30), ...send('b', 3)];
    expect(claims).toBe(3); // requests that arrived when both addresses were active
    const response = new EventEmitter() as Response;
    turns.body(from('192.0.2.9'), response).take(5);
    for (const one of [...responses, response]) answer(one);
    rest();
    for (const one of responses) answer(one);
    expect(turns['callers'].size).toBe(0);
    expect(claims).toBe(0);
  });
});
