import { EventEmitter } from 'node:events';
import { bodyReader } from './body-reader.js';
import type { HttpRequest } from './http-request.js';

const LIMIT = 100_000;

/** A request that is being read, its byte count, and its outcome. */
const reading = (headers: Record<string, string>) => {
  const request = Object.assign(new EventEmitter(), {
    method: 'POST',
    url: '/',
    headers,
  }) as unknown as HttpRequest;
  const seen = { counted: 0, next: jest.fn<void, [unknown?]>(), request };
  const take = (bytes: number) => void (seen.counted += bytes);
  bodyReader(() => LIMIT, { open: () => ({ take, finish: () => undefined }) })(
    request,
    {} as never,
    seen.next,
  );
  return seen;
};

describe('bodyReader', () => {
  it('returns a body that arrives at once without copying', () => {
    const seen = reading({ 'content-length': '5' });
    const only = Buffer.from('Hello');
    seen.request.emit('data', only);
    seen.request.emit('end');
    expect(seen.next.mock.calls).toEqual([[]]);
    expect(seen.request.body).toBe(only);
    expect(seen.counted).toBe(5);
  });

  it.each([
    ['content-length', '10'],
    ['transfer-encoding', 'chunked'],
  ])('joins parts (%s: %s)', (name, value) => {
    const seen = reading({ [name]: value });
    for (const text of ['Hel', 'l', 'o, you']) seen.request.emit('data', Buffer.from(text));
    seen.request.emit('end');
    expect(seen.request.body.toString()).toBe('Hello, you');
  });

  it('refuses a body above the limit, and drops the rest', () => {
    const seen = reading({ 'transfer-encoding': 'chunked' });
    for (let n = 0; n < 3; n++) seen.request.emit('data', Buffer.alloc(60_000));
    seen.request.emit('end');
    expect(seen.next.mock.calls).toEqual([[expect.objectContaining({ status: 413 })]]);
    expect(seen.request.body).toHaveLength(0);
  });
});
