import { isPeerUrl, trimSiteUrl } from './remote-cluster.rules.js';

describe('isPeerUrl', () => {
  it.each([
    ...['a_b', 'x--y.z', 'münchen.example', 'LOCALHOST', 'a.example.', `${'a.'.repeat(126)}b`],
    ...['203.0.113.7', '203.0.113.7.', '127.1', '[::1]', '[::ffff:127.0.0.1]'],
  ])('accepts the host %j', (host) => {
    for (const scheme of ['http', 'HTTPS']) expect(isPeerUrl(`${scheme}://${host}:1/chat`)).toBe(true);
  });

  it.each([
    ...['a..b', '.', '.a', 'a..', '-', '-a', 'a-.b', '*.x', '!x', 'a,b', '1.2.3.4.5', '[::1'],
    ...[`${'a'.repeat(64)}.b`, `${'a.'.repeat(127)}b`],
  ])('refuses the host %j', (host) => {
    expect(isPeerUrl(`http://${host}`)).toBe(false);
  });
});

it('counts the characters of a peer URL', () => {
  expect(isPeerUrl(`http://a/${'😀'.repeat(503)}`)).toBe(true);
  expect(isPeerUrl(`http://a/${'😀'.repeat(504)}`)).toBe(false);
});

describe('trimSiteUrl', () => {
  it('normalises equal URLs', () => {
    expect(trimSiteUrl('HTTPS://a.example/Chat//')).toBe('https://a.example/Chat');
  });
});
