import { Settings } from '../../../platform/config/settings.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { KnownAddresses } from './credentials.service.js';

const knownWith = (key: string): KnownAddresses =>
  new KnownAddresses(new SecretBox(new Settings({ SECRET_KEY: `a key of sixteen characters, ${key}` })));
const user = (knownAddresses = '', id = 'anna') => ({ id, knownAddresses });

describe('KnownAddresses', () => {
  const known = knownWith('the one');
  const after = (...addresses: string[]): string =>
    addresses.reduce((stored, address) => known.including(user(stored), address), '');

  it('keeps the latest eight addresses, each once', () => {
    const addresses = Array.from({ length: 9 }, (_, i) => `10.0.0.${i}`);
    const stored = after(...addresses, '10.0.0.3');
    expect(addresses.map((address) => known.has(user(stored), address))).toEqual([
      false,
      ...Array.from({ length: 8 }, () => true),
    ]);
    expect(stored.split(' ')).toHaveLength(8);
    expect(known.has(user(after(...addresses, '10.0.0.1', '10.0.0.10')), '10.0.0.1')).toBe(true);
    expect(stored.length).toBeLessThanOrEqual(255);
  });

  it('is empty for a new account and for local mode', () => {
    expect(known.has(user(), '10.0.0.1')).toBe(false);
    expect(known.has(user(), '')).toBe(false);
    expect(after('')).toBe('');
    expect(after('10.0.0.1', '')).toBe(after('10.0.0.1'));
  });

  it('stores hashes that need the key and differ between accounts', () => {
    const stored = after('10.0.0.1');
    expect(stored).toMatch(/^[\w-]{16}$/);
    expect(known.including(user('', 'berta'), '10.0.0.1')).not.toBe(stored);
    expect(known.has(user(stored, 'berta'), '10.0.0.1')).toBe(false);
    expect(knownWith('another').has(user(stored), '10.0.0.1')).toBe(false);
    expect(knownWith('the one').has(user(stored), '10.0.0.1')).toBe(true);
  });
});
