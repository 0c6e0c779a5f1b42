import { availableParallelism } from 'node:os';
import { turnsDuring } from '../../../../test/support/event-loop.js';
import { passwordQueueFull } from '../users.errors.js';
import { PasswordHasher } from './password-hasher.js';

describe('PasswordHasher', () => {
  it('hashes and verifies off the event loop', async () => {
    const hasher = new PasswordHasher();
    let hash = '';
    expect(await turnsDuring(async () => (hash = await hasher.hash('password', 'login')))).toBeGreaterThan(0);
    expect(await turnsDuring(() => hasher.verify(hash, 'password', 'login'))).toBeGreaterThan(0);
    expect(await turnsDuring(() => hasher.verify(undefined, 'password', 'login'))).toBeGreaterThan(0);
  });

  it('runs a few at once, queues 200 per lane, and refuses more of this lane only', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash('password', 'login');
    await hasher.verify(undefined, 'password', 'login'); // creates the decoy
    const few = Math.max(1, Math.min(3, availableParallelism() - 1));
    let begun = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const held = Array.from({ length: few + 200 }, () =>
      hasher['limit'].run('sign-up', () => (begun++, ended)),
    );
    expect(begun).toBe(few);
    await expect(hasher.hash('password', 'sign-up')).rejects.toThrow(passwordQueueFull());
    await expect(hasher.verify(hash, 'password', 'sign-up')).rejects.toThrow(passwordQueueFull());
    await expect(hasher.verify(undefined, 'password', 'sign-up')).rejects.toThrow(passwordQueueFull());
    const login = hasher.verify(hash, 'password', 'login'); // is not refused: lanes take turns
    end();
    expect(await login).toBe(true);
    await Promise.all(held);
  });
});
