import { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bodyReader } from './body-reader.js';
import type { HttpRequest } from './http-request.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
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
const bytes = (text: string): Buffer => {
  const part = Buffer.alloc(text.length);
  part.write(text, 'latin1');
  return part;
};

describe('bodyReader', () => {
  it('returns a body that arrives at once without copying', () => {
    const seen = reading({ 'content-length': '5' });
    const only = bytes('Hello');
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
    for (const text of ['Hel', 'l', 'o, you']) seen.request.emit('data', bytes(text));
    seen.request.emit('end');
    expect(seen.request.body.toString()).toBe('Hello, you');
  });

  it('does not keep the parts of a body of single bytes, and counts its memory', () => {
    const seen = reading({ 'content-length': '90000' });
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 50_000; n++) seen.request.emit('data', bytes('x'));
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1024 * 1024);
    expect(seen.counted).toBeGreaterThanOrEqual(50_000);
    expect(seen.counted).toBeLessThanOrEqual(100_000);
  });

  it('refuses a body above the limit, and drops the rest', () => {
    const seen = reading({ 'transfer-encoding': 'chunked' });
    for (let n = 0; n < 3; n++) seen.request.emit('data', bytes('x'.repeat(60_000)));
    seen.request.emit('end');
    expect(seen.next.mock.calls).toEqual([[expect.objectContaining({ status: 413 })]]);
    expect(seen.request.body).toHaveLength(0);
  });
});
