import { turnsDuring } from '../../test/support/event-loop.js';
import { whileFull } from '../../test/support/held-work.js';
import { sealBytes } from '../../test/support/invites.js';
import { inviteNotBase64, inviteUnreadable } from './remote-clusters.errors.js';
import {
  derivationOf,
  encodeInvite,
  hasTokenRefresh,
  InviteCodec,
  type KeyDerivation,
  newPassword,
  parseInvite,
  requirePassword,
} from './invite.js';

const codec = new InviteCodec();
const hex = (text: string) => Buffer.from(text, 'hex');

const invite = {
  remoteId: 'rcaaaaaaaaaaaaaaaaaaaaaaa1',
  siteUrl: 'https://a.example.com',
  token: 'tkaaaaaaaaaaaaaaaaaaaaaaa1',
};

interface Vector {
  readonly name: string;
  readonly version: number;
  readonly derivation: KeyDerivation;
  readonly password: string;
  readonly salt: string;
  readonly nonce: string;
  readonly key: string;
  readonly wire: string;
}

/** docs/contract/secure-connections.md#test-vectors */
const vectors: readonly Vector[] = [
  {
    name: 'A: PBKDF2, version 3',
    version: 3,
    derivation: 'pbkdf2',
    password: 'correct horse battery',
    salt: '000102030405060708090a0b0c0d0e0f',
    nonce: '101112131415161718191a1b',
    key: 'bb06c8c0b1dd5bfd4e40f4e297a2d0e64da7ef94b4b8ec20989021c8b41536ad',
    wire: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGzulLu-IiRayfoCCgoIZx35OWlqJYZ87mMFIMidLIoqjG6gXU_3_BekiRy93SW11qWsNVhiLZBXJYZOkmsDa_MQHnRFFyqBshUGE_W-eUHaBd6ZL4TYfMOqdUSHCiE_agHau3sSTgo0fTgyX-7QrYCq6CSlxJCIcLNOhgFmIi6Gf19cDFVPSxXSce0rrsVqHRq9MqM6mM_y9kIdGNMkgPPzc8Q==',
  },
  {
    name: 'B: scrypt, version 2',
    version: 2,
    derivation: 'scrypt',
    password: 'correct horse battery',
    salt: '000102030405060708090a0b0c0d0e0f',
    nonce: '101112131415161718191a1b',
    key: 'c72e940880b3f15bff3fa26a3a49140f80ce9a1c4dd2d5d27bab10014071ba94',
    wire: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGwsiSheB45xWkLqoDKyO1eMtA8--dm5dRSsB0vl_x8RyjFErcVnjjA2p0UnDOeK7rJTmP_pyT6RXD1NvZ-n-1v1r8j30rUYZEtzyTZQjqKnDCKWRf5gjyrB7WQ0S-iG_BCI7ZMnGes--Y4h0hFv0_4_xXOFFbkujLA-Q6Zf7jl9kWJbGTLBC1FQ1pT7lLwCcN3ueVy9zfXixtpyCUFRWiv5YMg==',
  },
  {
    name: 'C: PBKDF2, version 3, a password beyond ASCII',
    version: 3,
    derivation: 'pbkdf2',
    password: 'pässwörd-日本-16ch',
    salt: 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff',
    nonce: 'e0e1e2e3e4e5e6e7e8e9eaeb',
    key: '1deef8cde35b9261765c0fbd858f89193a32ed36e1237556ddd1025a358eee56',
    wire: '8PHy8_T19vf4-fr7_P3-_-Dh4uPk5ebn6Onq60eDslRnyaUs_8oVbO9tpqOW0g08bI6AJmUa1UAUhvNTIzeQNSKqZvpqc6aqmQ5YGUPvZgsJ84kaXcE6GYBXkX_6TJlUTM7fwsPO6b0dV3G46SvCEuDmsObwpJx6Yx5rPV63M8xoFvUx_1Sfesg9Udx5AdrCczyRtuE0WJQ5Rhcm9Nlza7A7t-BsqGrVyQLl_x1n-7XgOfVgB6ZNRP4X3P1g5A==',
  },
  {
    name: 'D: scrypt, the form without a version, an empty password',
    version: 0,
    derivation: 'scrypt',
    password: '',
    salt: 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff',
    nonce: 'e0e1e2e3e4e5e6e7e8e9eaeb',
    key: 'fe1e315ac0e9da58dd0e8416d2d354d7cc173de74fbb632e0076a0dc1d1388ff',
    wire: '8PHy8_T19vf4-fr7_P3-_-Dh4uPk5ebn6Onq64SeOgyV8Cgg653RLNLH-5MZ-NwGTv-qGv0EsGVeU1C91zhvMsNNSmrF5F2HmcPQWWfHTOKmf8e85sviDZT4dWTo4HEEjLDgTGmdOrmUYiztuVyIHYpoagRyrp1UbKoAZqWZHc3YR0horPxBBCH3Q_ooskImSAt2gr6rpnPzLdwNJoNgNCoYt7IOc-V1u3T5ACDdVYlQkg==',
  },
];

describe.each(vectors)('Test vector $name', (vector) => {
  const { version, derivation, password, salt, nonce, key, wire } = vector;

  it('derives the key', async () => {
    expect((await codec.derive(derivation, password, hex(salt))).toString('hex')).toBe(key);
  });

  it('encrypts to exactly these bytes', async () => {
    const plaintext = encodeInvite({ ...invite, version });
    expect(await codec.seal(plaintext, password, derivation, hex(salt), hex(nonce))).toBe(wire);
    // The peers of the tests have their own implementation.
    const fixed = { salt: hex(salt), nonce: hex(nonce) };
    expect(sealBytes(Buffer.from(plaintext), password, derivation === 'pbkdf2' ? 3 : 2, fixed)).toBe(wire);
  });

  it('decrypts without a format hint', async () => {
    expect(parseInvite(await codec.open(wire, password))).toEqual({ ...invite, version });
  });
});

describe('InviteCodec', () => {
  const { wire, password } = vectors[0]!;
  const flipped = (index: number): string => {
    const bytes = Buffer.from(wire, 'base64url');
    bytes[index < 0 ? bytes.length + index : index]! ^= 1;
    return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  };

  it.each([
    ['another password', wire, 'correct horse batterz'],
    ['a changed salt', flipped(0), password],
    ['a changed nonce', flipped(16), password],
    ['a changed text', flipped(28), password],
    ['a changed tag', flipped(-1), password],
    ['a text that is too short', wire.slice(0, 40), password],
    ['44 bytes, which hold nothing', Buffer.alloc(44).toString('base64'), password],
    ['nothing', '', password],
  ])('does not decrypt %s', async (_what, text, secret) => {
    await expect(codec.open(text, secret)).rejects.toThrow(inviteUnreadable());
  });

  it.each([
    ['without padding', wire.replace(/=+$/, '')],
    ['in the other alphabet', wire.replaceAll('-', '+')],
    ['with spaces inside', `${wire.slice(0, 8)} ${wire.slice(8)}`],
    ['with text before it', `invite${wire}`],
    ['over 8 KiB', 'A'.repeat(8196)],
  ])('refuses an invite %s before any work', async (_what, text) => {
    await expect(codec.open(text, password)).rejects.toThrow(inviteNotBase64());
  });

  it('decrypts up to 8 KiB, and no empty content', async () => {
    const quick = Object.assign(new InviteCodec(), { derive: async () => Buffer.alloc(32, 7) });
    const text = 'x'.repeat(6_144 - 44);
    const sealed = await quick.seal(text, password, 'pbkdf2');
    expect(sealed).toHaveLength(8_192);
    expect(await quick.open(sealed, password)).toBe(text);
    await expect(quick.open(`${sealed}=`, password)).rejects.toThrow(inviteNotBase64());
    await expect(quick.open(await quick.seal('', password, 'pbkdf2'), password)).rejects.toThrow(
      inviteUnreadable(),
    );
  });

  it('accepts line breaks', async () => {
    const wrapped = ` ${wire.replace(/.{76}/g, '$&\r\n')}\n`;
    expect(await codec.open(wrapped, password)).toBe(await codec.open(wire, password));
  });
});

describe('parseInvite', () => {
  const plain = JSON.parse(encodeInvite({ ...invite, version: 3 })) as Record<string, unknown>;

  it.each([
    ['remote_id', 'short'],
    ['remote_id', 'rcaaaaaaaaaaaaaaaaaaaaaa_1'],
    ['token', ''],
    ['token', 'x'.repeat(51)],
    ['token', 'with\r\nX-Header: 1'],
    ['site_url', 'file:///x'],
    ['site_url', 'https://user:pass@a.example.com'],
    ['site_url', 'https://a.example.com/#x'],
    ['site_url', 'https://a.example.com\r\n/x'],
    ['site_url', 'javascript:alert(1)'],
    ['site_url', 'pending_x'],
    ['site_url', `https://${'a'.repeat(600)}.example.com`],
  ])('reports %s when it is %j', (field, value) => {
    expect(() => parseInvite(JSON.stringify({ ...plain, [field]: value }))).toThrow(field);
  });

  it.each([
    ['remote_id', 'Invalid invite (remote_id): it must be 26 letters and digits.'],
    ['token', 'Invalid invite (token): it is missing or too long.'],
    ['site_url', 'Invalid invite (site_url): it must be an http or https URL of a server.'],
  ])('explains the problem with %s, by id and in words', (field, message) => {
    const id = `model.remote_cluster_invite.is_valid.${field}.app_error`;
    for (const value of [undefined, 5])
      expect(() => parseInvite(JSON.stringify({ ...plain, [field]: value }))).toThrow(
        expect.objectContaining({ id, message }),
      );
  });

  it.each([-1, 1.5, '3', null])('refuses the version %j', (version) => {
    expect(() => parseInvite(JSON.stringify({ ...plain, version }))).toThrow(inviteUnreadable());
  });

  it.each(['', 'not JSON', '[]', 'null', '"x"', '{"version":'])('refuses %j', (text) => {
    expect(() => parseInvite(text)).toThrow(inviteUnreadable());
  });
});

describe('the version of an invite', () => {
  it.each([
    [0, 'scrypt', false],
    [1, 'scrypt', false],
    [2, 'scrypt', true],
    [3, 'pbkdf2', true],
    [4, 'pbkdf2', true],
  ])('%i: %s, with a new token: %p', (version, derivation, isRefreshing) => {
    expect(derivationOf(version)).toBe(derivation);
    expect(hasTokenRefresh({ ...invite, version })).toBe(isRefreshing);
  });
});

describe('the password of an invite', () => {
  it('can have 1,024 characters', () => {
    const longest = '😀'.repeat(1_024);
    expect(['', longest].map(requirePassword)).toEqual(['', longest]);
    expect(() => requirePassword(`${longest}x`)).toThrow(
      expect.objectContaining({
        param: 'password',
        message: 'Invalid password in request body: it must have at most 1024 characters',
      }),
    );
  });

  it('has 16 random letters and digits when the server generates it', () => {
    const made = Array.from({ length: 500 }, newPassword);
    for (const password of made) expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(new Set(made.join('')).size).toBe(62);
  });
});

describe.each(['pbkdf2', 'scrypt'] as const)('a key derived with %s', (kind) => {
  const salt = Buffer.alloc(16, 7);

  it('is derived off the event loop', async () => {
    expect(await turnsDuring(() => codec.derive(kind, 'password', salt))).toBeGreaterThan(0);
  });

  it('waits while two are derived; of more than 20 waiting ones, it is refused', async () => {
    const one = new InviteCodec();
    const atOnce = await whileFull(one['limit'], async () => {
      expect(one['limit'].size).toBe(22);
      await expect(one.derive(kind, 'password', salt)).rejects.toThrow('Too many invites');
    });
    expect(atOnce).toBe(2);
  });
});
