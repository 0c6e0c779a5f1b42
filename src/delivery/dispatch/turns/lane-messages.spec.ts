import { Settings } from '../../../platform/config/settings.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { HiddenNames } from './lane-messages.js';

const LANE = 'https://receiver.example:8443';
const of = (key: string): HiddenNames =>
  new HiddenNames(new SecretBox(new Settings({ SECRET_KEY: `${key}, of sixteen characters or more` })));

describe('HiddenNames', () => {
  it('are equal in all processes with the same key, and differ with another key', () => {
    const hash = of('one').hashOf(LANE);
    expect(hash).toMatch(/^[\w-]{27}$/); // BullMQ does not allow colons in job ids
    expect(of('one').hashOf(LANE)).toBe(hash);
    expect(of('another').hashOf(LANE)).not.toBe(hash);
  });

  it('can only be decrypted with the key', () => {
    const sealed = of('one').seal(LANE);
    expect(sealed).not.toContain('receiver');
    expect(of('one').open(sealed)).toBe(LANE);
    expect(of('another').open(sealed)).toBeUndefined();
    for (const other of [LANE, '', undefined, 1]) expect(of('one').open(other)).toBeUndefined();
  });
});
