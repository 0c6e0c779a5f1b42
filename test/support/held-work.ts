import type { BoundedLimit } from '../../src/platform/common/bounded-limit.js';

/** Fills a limit with blocked work. Returns the number that runs at once, and ends all of it after `action`. */
export async function whileFull(limit: BoundedLimit, action: () => Promise<void>): Promise<number> {
  let begun = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work: Promise<void>[] = [];
  for (let isFull = false; !isFull;) {
    const before = limit.size;
    work.push(limit.run(() => (begun++, ended)).catch(() => undefined));
    isFull = limit.size === before;
  }
  await new Promise((resolve) => setImmediate(resolve));
  const atOnce = begun;
  try {
    await action();
  } finally {
    end();
    await Promise.all(work);
  }
  return atOnce;
}
