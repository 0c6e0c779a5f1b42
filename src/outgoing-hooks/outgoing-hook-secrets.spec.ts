import { Settings } from '../platform/config/settings.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';

const HOUR_MS = 3_600_000;
const secretsUnder = (key: string): OutgoingHookSecrets =>
  new OutgoingHookSecrets(new SecretBox(new Settings({ SECRET_KEY: key })));
const secrets = secretsUnder('a key of sixteen characters or more');
const hookWith = (fields: ReturnType<OutgoingHookSecrets['create']>): OutgoingHook =>
  ({ ...fields }) as OutgoingHook;

describe('OutgoingHookSecrets', () => {
  it('lets the last four replaced secrets sign, each until its own end', () => {
    let hook = hookWith(secrets.create());
    const replaced: string[] = [];
    for (let n = 0; n < 6; n++) {
      replaced.unshift(secrets.open(hook).signingSecret);
      hook = hookWith(secrets.replace(hook, n, HOUR_MS));
    }
    expect(secrets.open(hook).previousSecrets).toEqual(
      replaced.slice(0, 4).map((secret, n) => ({ secret, until: HOUR_MS + 5 - n })),
    );
  });

  it('replaces also what nobody can open any more', () => {
    const lost = hookWith(secretsUnder('a key that nobody has any more').create());
    const replaced = hookWith(secrets.replace(lost, 0, HOUR_MS));
    expect(secrets.open(replaced)).toEqual({
      token: expect.stringMatching(/^[a-z0-9]{26}$/),
      signingSecret: expect.stringMatching(/^whsec_/),
      previousSecrets: [],
    });
  });
});
