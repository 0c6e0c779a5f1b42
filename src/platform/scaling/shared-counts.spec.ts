import { FakeBus } from '../../../test/fakes/bus.js';
import { sharedCountsOfOne } from '../../../test/support/shared-counts.js';
import { Settings } from '../config/settings.js';
import { SecretBox } from '../secrets/secret-box.js';
import { SharedCounts } from './shared-counts.js';

const allowance = { max: 3, windowMs: 100 };
const countsOf = (bus: FakeBus): SharedCounts =>
  new SharedCounts(bus, new SecretBox(new Settings({ SECRET_KEY: 'a key of sixteen characters or more' })));

describe('SharedCounts', () => {
  it('adds the counts of other processes, and clears what they clear', () => {
    const [busA, busB] = FakeBus.connect('a', 'b') as [FakeBus, FakeBus];
    const here = countsOf(busA).open('logins');
    const there = countsOf(busB).open('logins');
    here.note('192.0.2.1', allowance, 0);
    there.note('192.0.2.1', allowance, 10);
    expect(there.waitMs('192.0.2.1', allowance, 10)).toBe(0);
    expect(here.note('192.0.2.1', allowance, 20)).toBe(3);
    expect(there.waitMs('192.0.2.1', allowance, 20)).toBe(80);
    expect(there.waitMs('192.0.2.2', allowance, 20)).toBe(0);
    there.clear('192.0.2.1');
    expect(here.waitMs('192.0.2.1', allowance, 20)).toBe(0);
  });

  it('separates counts by name, and accepts each name once', () => {
    const [busA, busB] = FakeBus.connect('a', 'b') as [FakeBus, FakeBus];
    const counts = countsOf(busA);
    const [logins, invites] = [counts.open('logins'), counts.open('invites')];
    const other = countsOf(busB).open('logins');
    for (const now of [0, 1, 2]) other.note('anna', allowance, now);
    expect(logins.waitMs('anna', allowance, 3)).toBe(97);
    expect(invites.waitMs('anna', allowance, 3)).toBe(0);
    expect(() => counts.open('logins')).toThrow('open already');
  });

  it('never publishes a key', () => {
    const [bus] = FakeBus.connect('a') as [FakeBus];
    countsOf(bus).open('logins').note('192.0.2.1', allowance, 0);
    expect(JSON.stringify(bus.sent)).not.toContain('192.0.2.1');
    expect(bus.sent).toHaveLength(1);
  });

  it('counts alone without other processes', () => {
    const count = sharedCountsOfOne().open('logins');
    for (const now of [0, 1, 2]) count.note('anna', allowance, now);
    expect(count.waitMs('anna', allowance, 3)).toBe(97);
  });

  const two = { max: 2, windowMs: 100 };

  it('allows a number of events in a window that starts with the first', () => {
    const count = sharedCountsOfOne().open('logins');
    expect(count.waitMs('a', two, 0)).toBe(0);
    expect(count.note('a', two, 10)).toBe(1);
    expect(count.waitMs('a', two, 50)).toBe(0);
    expect(count.note('a', two, 60)).toBe(2);
    expect(count.waitMs('a', two, 60)).toBe(50);
    expect(count.waitMs('b', two, 60)).toBe(0);
    expect(count.waitMs('a', two, 110)).toBe(0);
    expect(count.note('a', two, 110)).toBe(1);
  });

  it('forgets keys on request', () => {
    const count = sharedCountsOfOne().open('logins');
    for (const now of [0, 1, 2]) count.note('a', two, now);
    count.clear('a');
    expect(count.waitMs('a', two, 3)).toBe(0);
  });

  it('keeps a limited number of keys, the newest', () => {
    const count = sharedCountsOfOne().open('logins', 2);
    for (const key of ['a', 'a', 'b', 'b', 'c', 'c']) count.note(key, two, 0);
    expect(['a', 'b', 'c'].map((key) => count.waitMs(key, two, 0))).toEqual([0, 100, 100]);
  });
});
