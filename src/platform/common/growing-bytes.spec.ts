import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GrowingBytes } from './growing-bytes.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A part in its own memory, as a socket delivers it. */
const part = (text: string): Buffer => {
  const bytes = Buffer.alloc(text.length);
  bytes.write(text, 'latin1');
  return bytes;
};

describe('GrowingBytes', () => {
  it.each([[[1]], [[4_096]], [[1, 7, 1_000]], [[4_999, 1]]])('joins parts of %j bytes', (sizes) => {
    const text = Array.from({ length: 5_000 }, (_, n) => String.fromCharCode(32 + (n % 90))).join('');
    const bytes = new GrowingBytes(text.length);
    for (let at = 0, n = 0; at < text.length; n++) {
      const size = sizes[n % sizes.length]!;
      expect(bytes.add(part(text.slice(at, at + size)))).toBe(true);
      at += size;
    }
    expect(bytes.soFar.toString('latin1')).toBe(text);
    expect(bytes.held).toBe(text.length);
  });

  it('accepts only what fits of a part that is too long', () => {
    const bytes = new GrowingBytes(5);
    expect(bytes.add(part('abc'))).toBe(true);
    expect(bytes.add(part('def'))).toBe(false);
    expect(bytes.add(part('g'))).toBe(false);
    expect(bytes.soFar.toString()).toBe('abcde');
  });

  it('does not allocate per part', () => {
    const bytes = new GrowingBytes(290_000);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 50_000; n++) bytes.add(part('x'));
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1024 * 1024);
    expect(bytes.held).toBeLessThanOrEqual(2 * 50_000);
  });
});
