import { turnsDuring } from '../../../test/support/event-loop.js';
import { whileFull } from '../../../test/support/held-work.js';
import { InviteKeys } from './invite-codec.js';

const SALT = Buffer.alloc(16, 7);

describe.each(['pbkdf2', 'scrypt'] as const)('InviteKeys with %s', (kind) => {
  it('derives off the event loop', async () => {
    const keys = new InviteKeys();
    expect(await turnsDuring(() => keys.derive(kind, 'password', SALT))).toBeGreaterThan(0);
  });

  it('derives two at once, lets 20 wait, and refuses more', async () => {
    const keys = new InviteKeys();
    const atOnce = await whileFull(keys['limit'], async () => {
      expect(keys['limit'].size).toBe(22);
      await expect(keys.derive(kind, 'password', SALT)).rejects.toThrow('Too many invites');
    });
    expect(atOnce).toBe(2);
  });
});
