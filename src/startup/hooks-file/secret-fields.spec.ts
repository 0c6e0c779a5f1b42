import { PRESETS } from '../../incoming-hooks/verification/presets.js';
import type { Field } from './field.js';
import { Reference, referencesIn } from './reference.js';
import { auth, headers, mayHoldKey, verifier } from './secret-fields.js';

const SECRET = { env: 'HOOKLINE_SECRET_A' };
const IP = { type: 'ip', networks: ['10.0.0.0/8'] };
const BEARER = { type: 'bearer', token: SECRET };
const OAUTH2 = {
  ...{ type: 'oauth2', token_url: 'https://login.example.com/token', client_id: 'hookline' },
  client_secret: SECRET,
};
const HEADERS = [
  { name: 'X-Api-Key', value: SECRET },
  { name: 'X-Colour', value: 'blue' },
];

/** What the server shows of a value: everything but its secrets. */
function asShown(value: unknown): never {
  const text = JSON.stringify(value, (_key, part: unknown) => (part instanceof Reference ? undefined : part));
  return JSON.parse(text) as never;
}

describe('fields with secrets', () => {
  it.each<readonly [string, Field, unknown]>([
    ...Object.keys(PRESETS).map((preset) => [preset, verifier, { preset, secret: SECRET }] as const),
    ['basic', verifier, { type: 'basic', user: 'alerts', secret: SECRET }],
    ['ip', verifier, IP],
    ['a changed preset', verifier, { preset: 'stripe', tolerance: 60, secret: SECRET }],
    ['bearer', auth, BEARER],
    ['OAuth 2', auth, OAUTH2],
    ['headers', headers, HEADERS],
  ])('are exported as briefly as they are written: %s', (_name, { read, write }, written) => {
    const value = read(written);
    expect(write?.(asShown(value), () => SECRET)).toEqual(written);
    expect(referencesIn(value)).toHaveLength(written === IP ? 0 : 1);
  });

  it.each([
    ['https://example.com/hook', false],
    ['https://ci.example.com/projects/deployments-of-the-website', false],
    ['https://example.com/hook?key=a', true],
    ['https://user@example.com/hook', true],
    ['https://hooks.slack.com/services/T0HOOK/B0BUILD/x7Yq2fKdLw9sPz4mNcVb1A8e', true],
    ['https://example.com/3f2b8c1e-9d47-4a60-8f0e-1b2c3d4e5f60', true],
  ])('%s may hold a key: %s', (url, isKey) => {
    expect(mayHoldKey(url)).toBe(isKey);
  });
});
