import { Logger } from '@nestjs/common';
import { Settings } from '../platform/config/settings.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';

const HOUR_MS = 3_600_000;
const ID = 'b1f8zcm5wtd5jfzn8u5fxpbkje';
const PREVIOUS = { table: 'outgoing_webhooks', column: 'sealed_previous_secret', id: ID };
const boxUnder = (key: string): SecretBox => new SecretBox(new Settings({ SECRET_KEY: key }));
const box = boxUnder('a key of sixteen characters or more');
const secretsUnder = (key: string): OutgoingHookSecrets => new OutgoingHookSecrets(boxUnder(key));
const secrets = new OutgoingHookSecrets(box);
const hookWith = (fields: ReturnType<OutgoingHookSecrets['create']>): OutgoingHook =>
  ({ id: ID, ...fields }) as OutgoingHook;

describe('OutgoingHookSecrets', () => {
  it('signs with the last four replaced secrets, each until its own expiry', () => {
    let hook = hookWith(secrets.create(ID));
    const replaced: string[] = [];
    for (let n = 0; n < 6; n++) {
      replaced.unshift(secrets.open(hook).signingSecret);
      hook = hookWith(secrets.replace(hook, n, HOUR_MS));
    }
    expect(secrets.open(hook).previousSecrets).toEqual(
      replaced.slice(0, 4).map((secret, n) => ({ secret, until: HOUR_MS + 5 - n })),
    );
  });

  it('never signs with an expired secret', () => {
    const first = hookWith(secrets.create(ID));
    const second = hookWith(secrets.replace(first, 0, 100));
    const atTheEnd = hookWith(secrets.replace(second, 100, 50));
    const before = hookWith(secrets.replace(second, 99, 50));
    const { signingSecret: replaced } = secrets.open(second);
    const { signingSecret: oldest } = secrets.open(first);
    expect(secrets.open(atTheEnd).previousSecrets).toEqual([{ secret: replaced, until: 150 }]);
    expect(secrets.open(before).previousSecrets).toEqual([
      { secret: replaced, until: 149 },
      { secret: oldest, until: 100 },
    ]);
  });

  it('returns the latest expiry, which may not belong to the newest secret', () => {
    const second = secrets.replace(hookWith(secrets.create(ID)), 0, HOUR_MS);
    expect(second.previousSigningUntil).toBe(HOUR_MS);
    expect(secrets.replace(hookWith(second), 10, 100).previousSigningUntil).toBe(HOUR_MS);
  });

  it('keeps no old secret without an overlap', () => {
    const second = hookWith(secrets.replace(hookWith(secrets.create(ID)), 0, HOUR_MS));
    const third = secrets.replace(second, 1, 0);
    expect(third).toMatchObject({ sealedPreviousSecret: '', previousSigningUntil: 0 });
    expect(secrets.open(hookWith(third)).previousSecrets).toEqual([]);
  });

  it('decrypts a record once', () => {
    const hook = hookWith(secrets.create(ID));
    expect(secrets.open(hook)).toBe(secrets.open(hook));
  });

  it('does not replace a record that it decrypts but cannot parse', () => {
    const hook = hookWith({ ...secrets.create(ID), sealedPreviousSecret: box.seal('[broken', PREVIOUS) });
    expect(() => secrets.replace(hook, 0, HOUR_MS)).toThrow(SyntaxError);
  });

  it('hides a record that it cannot decrypt or parse', () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const broken = hookWith({ ...secrets.create(ID), sealedPreviousSecret: box.seal('[broken', PREVIOUS) });
    const lost = hookWith(secretsUnder('a lost key of sixteen characters').create(ID));
    const good = hookWith(secrets.create(ID));
    expect([broken, lost, good].map((hook) => secrets.openForAnswer(hook))).toEqual([
      undefined,
      undefined,
      secrets.open(good),
    ]);
    const unopened = `The secrets of the outgoing webhook ${ID} cannot be decrypted.`;
    const said = [`${unopened} They are damaged.`, expect.stringContaining(`${unopened} `)];
    expect(log.mock.calls.flat()).toEqual(said);
    expect(log.mock.calls.flat().join(' ')).not.toContain('broken');
  });

  it('replaces secrets that cannot be decrypted', () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const lost = hookWith(secretsUnder('a lost key of sixteen characters').create(ID));
    const replaced = hookWith(secrets.replace(lost, 0, HOUR_MS));
    expect(secrets.open(replaced)).toEqual({
      token: expect.stringMatching(/^[a-z0-9]{26}$/),
      signingSecret: expect.stringMatching(/^whsec_/),
      previousSecrets: [],
    });
  });
});
