import type { OutgoingHook } from '../outgoing-hook.entity.js';
import type { Firing } from '../matching/team-triggers.js';
import { limitCalls, type TriggeredCall } from './triggered-deliveries.js';

const MANY = 1_000_000;
const THREE = { outgoingPerMessage: 3, outgoingBytesPerMessage: MANY };

const firing = (name: string, paths: readonly string[], word = 'deploy'): Firing => ({
  hook: { id: name, callbackUrls: paths.map((path) => `http://a.example/${path}`) } as OutgoingHook,
  word,
  event: 'message.triggered',
});
const pathsOf = (calls: readonly TriggeredCall[]): string[] =>
  calls.map(({ hook, url }) => `${hook.id}${new URL(url).pathname}`);

describe('the calls of a message', () => {
  it('contain each URL of each webhook once', () => {
    const firings = [firing('a', ['1', '2', '1']), firing('b', ['1'])];
    const { calls, leftOut } = limitCalls(firings, '', THREE);
    expect(pathsOf(calls)).toEqual(['a/1', 'a/2', 'b/1']);
    expect(leftOut).toEqual([]);
  });

  it('are limited in number, even within one webhook', () => {
    const firings = [firing('a', ['1', '2']), firing('b', ['1', '2']), firing('c', ['1'])];
    const { calls, leftOut } = limitCalls(firings, '', THREE);
    expect(pathsOf(calls)).toEqual(['a/1', 'a/2', 'b/1']);
    expect(pathsOf(leftOut)).toEqual(['b/2', 'c/1']);
  });

  it.each([
    ['long messages', (index: number) => firing(`${index}`, ['1']), 'x'.repeat(10_000)],
    ['long URLs', (index: number) => firing(`${index}`, ['x'.repeat(900)]), ''],
    ['long words', (index: number) => firing(`${index}`, ['1'], 'x'.repeat(900)), ''],
  ])('are limited in size: %s', (_, firingOf, message) => {
    const limit = { outgoingPerMessage: MANY, outgoingBytesPerMessage: 100_000 };
    const firings = Array.from({ length: 200 }, (__, index) => firingOf(index));
    const { calls, leftOut } = limitCalls(firings, message, limit);
    expect(calls.length).toBeLessThan(97); // as many of the shortest ones would fit
    expect(calls.length).toBeGreaterThan(10);
    expect(calls.length + leftOut.length).toBe(200);
  });

  it('are at least one', () => {
    const limit = { outgoingPerMessage: MANY, outgoingBytesPerMessage: 1 };
    expect(limitCalls([firing('a', ['1', '2'])], 'deploy', limit).calls).toHaveLength(1);
  });
});
