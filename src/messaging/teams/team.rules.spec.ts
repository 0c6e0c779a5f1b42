import type { Team } from './team.entity.js';
import { requireValidTeam, isEmailAllowed, isTeamName } from './team.rules.js';

const valid = {
  ...{ displayName: 'Core', name: 'core', description: '', email: 'someone@example.com', type: 'O' },
  ...{ companyName: '', allowedDomains: '' },
} as Team;

describe('requireValidTeam', () => {
  it.each<[string, Partial<Team>]>([
    ['', {}],
    ['', { displayName: '😀'.repeat(64), name: 'a'.repeat(64), description: 'x'.repeat(255) }],
    ['', { email: '' }],
    ['email', { email: 'nobody' }],
    ['email', { email: `${'a'.repeat(120)}@example.com` }],
    ['name', { displayName: '' }],
    ['name', { displayName: '😀'.repeat(65) }],
    ['url', { name: 'a'.repeat(65) }],
    ['description', { description: 'ü'.repeat(128) }],
    ['reserved', { name: 'admin-x' }],
    ['reserved', { name: 'signup' }],
    ['reserved', { name: 'poster' }],
    ['characters', { name: 'a' }],
    ['characters', { name: '' }],
    ['characters', { name: 'Core' }],
    ['characters', { name: '-core' }],
    ['characters', { name: 'core-' }],
    ['characters', { name: 'co_re' }],
    ['characters', { name: 'core\n' }],
    ['type', { type: '' }],
    ['type', { type: 'P' }],
    ['company', { companyName: 'c'.repeat(65) }],
    ['domains', { allowedDomains: 'd'.repeat(501) }],
    ['name', { displayName: '', name: 'admin', type: 'X' }],
  ])('finds %p', (failure, change) => {
    const check = (): void => requireValidTeam({ ...valid, ...change });
    if (failure === '') expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ id: `model.team.is_valid.${failure}.app_error` }));
  });

  it('names the reserved word', () => {
    expect(() => requireValidTeam({ ...valid, name: 'poster' })).toThrow(/the reserved word post\./);
  });
});

describe('isTeamName', () => {
  it.each(['ab', 'a-b', '0a', 'a--b'])('accepts %s', (name) => expect(isTeamName(name)).toBe(true));
  it.each(['', 'a', 'A1', 'a b', 'a'.repeat(65)])('refuses %p', (name) =>
    expect(isTeamName(name)).toBe(false),
  );
});

describe('isEmailAllowed', () => {
  it.each<[boolean, string, string]>([
    [true, 'a@example.com', ''],
    [true, 'a@example.com', ' , '],
    [true, 'a@example.com', 'example.com'],
    [true, 'A@Example.com', '@EXAMPLE.com, other.org'],
    [true, 'a@other.org', 'example.com other.org'],
    [false, 'a@sub.example.com', 'example.com'],
    [false, 'a@notexample.com', 'example.com'],
  ])('returns %p for %s in %p', (allowed, email, domains) => {
    expect(isEmailAllowed(email, domains)).toBe(allowed);
  });
});
