import { isEmail, isUsernameShaped, supportedLocale } from './user-rules.js';

describe('isUsernameShaped', () => {
  it.each(['a', 'foo.bar', 'a-b_c', '9', 'a'.repeat(64)])('accepts %s', (name) =>
    expect(isUsernameShaped(name)).toBe(true),
  );
  it.each(['', 'A', 'a b', 'ä', 'a@b', 'a'.repeat(65), 'a\n'])('refuses %j', (name) =>
    expect(isUsernameShaped(name)).toBe(false),
  );
});

describe('isEmail', () => {
  it.each([
    'a@b',
    'admin@localhost.localdomain',
    'a+b@example.com',
    "o'neill@x.org",
    'ü@bücher.example',
    `${'a'.repeat(116)}@example.com`,
  ])('accepts %s', (email) => expect(isEmail(email)).toBe(true));
  it.each([
    '',
    'a',
    '@b',
    'a@',
    'a@b@c',
    'a b@c',
    '<a@b>',
    'A@b.c',
    '.a@b',
    'a.@b',
    'a..b@c',
    'a@b.',
    `${'a'.repeat(117)}@example.com`,
  ])('refuses %j', (email) => expect(isEmail(email)).toBe(false));
  it('takes linear time', () => {
    expect(isEmail(`${'a.'.repeat(50)}@`)).toBe(false);
    expect(isEmail('a.'.repeat(100_000))).toBe(false);
  });
});

it.each([
  ['de', 'de'],
  ['pt-BR', 'pt-BR'],
  ['xx', 'en'],
  ['', 'en'],
])('supportedLocale of %j is %s', (locale, expected) => expect(supportedLocale(locale)).toBe(expected));
