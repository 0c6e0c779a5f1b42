import { sharedCountsOfOne } from '../../../../test/support/shared-counts.js';
import { Clock } from '../../../platform/common/clock.js';
import type { AppError } from '../../../platform/common/errors/app-error.js';
import { EmailExists, UsernameExists } from '../users.errors.js';
import { type Attempt, AttemptLimits, AttemptThrottle, failureDelayMs } from './attempt-throttle.js';

const MINUTE = 60_000;

describe('AttemptThrottle', () => {
  let now: number;
  let throttle: AttemptThrottle;

  beforeEach(() => {
    now = 1_000_000;
    const clock = new Clock();
    jest.spyOn(clock, 'now').mockImplementation(() => now);
    throttle = new AttemptThrottle(new AttemptLimits(), clock, sharedCountsOfOne());
  });

  const attempt = (name: string, address: string, more: Partial<Attempt> = {}): Attempt => ({
    name,
    address,
    userId: `id of ${name}`,
    isKnown: false,
    since: 1,
    isSignedIn: false,
    ...more,
  });
  const wrong = (given: Attempt) => throttle.run(given, async () => false);
  const right = (given: Attempt) => throttle.run(given, async () => true);
  const waitOf = (refused: Promise<unknown>): Promise<string | undefined> =>
    refused.then(
      () => undefined,
      (error: AppError) => error.headers?.['Retry-After'],
    );

  it('counts wrong passwords per name and address, until one is right', async () => {
    for (let i = 1; i <= 9; i++) expect((await wrong(attempt('anna', 'a'))).failures).toBe(i);
    expect(await right(attempt('anna', 'a'))).toEqual({ isRight: true, failures: 0 });
    for (let i = 0; i < 10; i++) await wrong(attempt(' ANNA ', 'a'));
    await expect(right(attempt('anna', 'a'))).rejects.toThrow('Too many wrong passwords from your address');
    now += MINUTE;
    expect(await waitOf(right(attempt('anna', 'a')))).toBe('540');
    now += 9 * MINUTE;
    expect((await right(attempt('anna', 'a'))).isRight).toBe(true);
  });

  it('starts a new count after a password change', async () => {
    for (let i = 0; i < 10; i++) await wrong(attempt('anna', 'a'));
    await expect(right(attempt('anna', 'a'))).rejects.toThrow('Too many wrong passwords from your address');
    expect((await right(attempt('anna', 'a', { since: 2 }))).isRight).toBe(true);
  });

  it('blocks an address that guesses for many names, except for users who have signed in from it', async () => {
    for (let i = 0; i < 100; i++) await wrong(attempt(`name ${i}`, 'a'));
    await expect(wrong(attempt('another', 'a'))).rejects.toThrow('Too many failed logins');
    await expect(right(attempt('anna', 'a'))).rejects.toThrow('Too many failed logins');
    expect((await right(attempt('berta', 'a', { isKnown: true }))).isRight).toBe(true);
    expect((await right(attempt('anna', 'b'))).isRight).toBe(true);
    expect(await waitOf(right(attempt('anna', 'a')))).toBe('300');
    now += 5 * MINUTE;
    expect((await right(attempt('anna', 'a'))).isRight).toBe(true);
  });

  it('blocks guesses for one name from many addresses, but not its user at a known address', async () => {
    for (let i = 0; i < 100; i++) await wrong(attempt('anna', `address ${i}`));
    await expect(right(attempt('anna', 'new'))).rejects.toThrow('Too many wrong passwords for this name');
    expect((await right(attempt('anna', 'home', { isKnown: true }))).isRight).toBe(true);
    expect((await right(attempt('berta', 'new'))).isRight).toBe(true);
    expect((await right(attempt('anna', 'new', { isSignedIn: true }))).isRight).toBe(true);
    now += 60 * MINUTE;
    expect((await right(attempt('anna', 'new'))).isRight).toBe(true);
  });

  it('counts an account under all its names, without revealing that they belong together', async () => {
    const as = (name: string, address = 'a') => attempt(name, address, { userId: 'id of anna' });
    for (let i = 0; i < 5; i++) await wrong(as('anna'));
    expect((await right(as('Anna@example.com'))).isRight).toBe(true); // resets the count
    for (let i = 0; i < 6; i++) await wrong(as('anna@example.com'));
    expect((await wrong(as('anna'))).failures).toBe(6); // counted per name
    for (let i = 0; i < 3; i++) await wrong(as('id of anna'));
    let hashes = 0;
    const stopped = await throttle.run(as('anna'), async () => (hashes++, true));
    expect({ ...stopped, hashes }).toEqual({ isRight: false, failures: 7, hashes: 1 });
    expect((await right(as('anna', 'b'))).isRight).toBe(true);
    now += 10 * MINUTE;
    expect((await right(as('anna'))).isRight).toBe(true);
    for (let i = 0; i < 50; i++)
      for (const name of ['anna', 'anna@example.com']) await wrong(as(name, `${name} ${i}`));
    expect((await right(as('anna', 'new'))).isRight).toBe(false);
    expect((await right({ ...as('anna', 'home'), isKnown: true })).isRight).toBe(true);
    now += 60 * MINUTE;
    expect((await right(as('anna', 'new'))).isRight).toBe(true);
  });

  it('keeps strangers from filling the queue or the lane of known users', async () => {
    let end = (): void => undefined;
    const ended = new Promise<boolean>((resolve) => (end = () => resolve(true)));
    const lanes: string[] = [];
    const see = (given: Attempt, until: Promise<boolean>) =>
      throttle.run(given, (lane) => (lanes.push(lane), until));
    const flood = Array.from({ length: 101 }, (_, i) => see(attempt(`name ${i}`, 'a'), ended));
    await expect(see(attempt('berta', 'a'), ended)).rejects.toThrow(
      'attempts from your address are already waiting',
    );
    const now = Promise.resolve(true);
    await see(attempt('anna', 'a', { isKnown: true }), now);
    await see(attempt('anna', 'a', { isSignedIn: true }), now);
    await see(attempt('anna', ''), now);
    await see(attempt('anna', 'b'), now);
    expect(lanes).toEqual(['login', 'known', 'known', 'local', 'login']);
    end();
    await Promise.all(flood);
  });

  it('never blocks local mode', async () => {
    for (let i = 0; i < 200; i++)
      expect(await wrong(attempt('anna', ''))).toEqual({ isRight: false, failures: 0 });
    expect((await right(attempt('anna', ''))).isRight).toBe(true);
  });

  it('counts sign-ups per address', async () => {
    const signUp = (address: string) => throttle.signUp(address, async () => 'made');
    for (let i = 0; i < 500; i++) expect(await signUp('a')).toBe('made');
    await expect(signUp('a')).rejects.toThrow('Too many accounts from your address');
    expect(await signUp('b')).toBe('made');
    now += 60 * MINUTE;
    expect(await signUp('a')).toBe('made');
  });

  it('counts requested names that are taken', async () => {
    const rename = (userId: string, error?: Error) =>
      throttle.rename(userId, () => (error ? Promise.reject(error) : Promise.resolve('changed')));
    const broken = new Error('broken');
    for (let i = 0; i < 20; i++) {
      expect(await rename('anna')).toBe('changed');
      await expect(rename('anna', broken)).rejects.toBe(broken);
    }
    const taken = Array.from({ length: 11 }, (_, i) =>
      rename('anna', i % 2 ? new UsernameExists() : new EmailExists()).catch((error: AppError) => error.id),
    );
    expect((await Promise.all(taken)).at(-1)).toBe('api.user.update_user.too_many_taken.app_error');
    await expect(rename('anna')).rejects.toThrow('Too many taken names or e-mail addresses');
    expect(await waitOf(rename('anna'))).toBe('3600');
    expect(await rename('berta')).toBe('changed');
    now += 60 * MINUTE;
    expect(await rename('anna')).toBe('changed');
  });

  it('runs one attempt per address, queues 100 and refuses more; each kind separately', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let begun = 0;
    const hold = (given: Attempt) => throttle.run(given, () => (begun++, ended.then(() => true)));
    const held = Array.from({ length: 101 }, (_, i) => hold(attempt(`name ${i}`, 'a')));
    await Promise.resolve();
    await expect(hold(attempt('another', 'a'))).rejects.toThrow(
      'attempts from your address are already waiting',
    );
    expect((await right(attempt('anna', 'b'))).isRight).toBe(true);
    expect((await right(attempt('anna', 'a', { isSignedIn: true }))).isRight).toBe(true);
    expect(await throttle.signUp('a', async () => 'made')).toBe('made');
    expect(begun).toBe(1);
    end();
    await Promise.all(held);
  });
});

it.each([
  [0, 20],
  [1, 20],
  [2, 40],
  [6, 640],
  [7, 1_000],
  [10_000, 1_000],
])('delays the answer to wrong password number %i by %i ms', (failures, ms) =>
  expect(failureDelayMs(failures)).toBe(ms),
);
