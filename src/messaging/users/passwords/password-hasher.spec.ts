import { availableParallelism } from 'node:os';
import { turnsDuring } from '../../../../test/support/event-loop.js';
import { whileFull } from '../../../../test/support/held-work.js';
import { PasswordQueueFull } from '../users.errors.js';
import { PasswordHasher } from './password-hasher.js';

describe('PasswordHasher', () => {
  it('hashes and checks off the event loop', async () => {
    const hasher = new PasswordHasher();
    let hash = '';
    expect(await turnsDuring(async () => (hash = await hasher.hash('password')))).toBeGreaterThan(5);
    expect(await turnsDuring(() => hasher.verify(hash, 'password'))).toBeGreaterThan(5);
    expect(await turnsDuring(() => hasher.verify(undefined, 'password'))).toBeGreaterThan(5);
  });

  it('does a few at once, lets 200 wait, and refuses more', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash('password');
    await hasher.verify(undefined, 'password'); // has its decoy now
    const few = Math.min(3, availableParallelism());
    const atOnce = await whileFull(hasher['limit'], async () => {
      expect(hasher['limit'].size).toBe(few + 200);
      await expect(hasher.hash('password')).rejects.toThrow(PasswordQueueFull);
      await expect(hasher.verify(hash, 'password')).rejects.toThrow(PasswordQueueFull);
      await expect(hasher.verify(undefined, 'password')).rejects.toThrow(PasswordQueueFull);
    });
    expect(atOnce).toBe(few);
  });
});
