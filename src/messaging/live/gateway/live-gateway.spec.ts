import { isOwnOrigin } from './live-gateway.js';

describe('isOwnOrigin', () => {
  it.each([
    ['programs send none', undefined, 'chat.example.com', undefined, true],
    ['the same host', 'https://chat.example.com', 'chat.example.com', undefined, true],
    ['in other capitals', 'https://CHAT.example.com', 'chat.Example.com', undefined, true],
    ['the same port', 'http://localhost:8065', 'localhost:8065', undefined, true],
    ['the default port of its scheme', 'https://chat.example.com', 'chat.example.com:443', undefined, true],
    [
      'a default port of the other scheme',
      'https://chat.example.com',
      'chat.example.com:80',
      undefined,
      false,
    ],
    ['another port', 'http://localhost:3000', 'localhost:8065', undefined, false],
    ['another host', 'https://evil.example', 'chat.example.com', undefined, false],
    [
      'a host with the same beginning',
      'https://chat.example.com.evil.example',
      'chat.example.com',
      undefined,
      false,
    ],
    [
      'the site behind a proxy',
      'https://chat.example.com',
      '10.0.0.7:8065',
      'https://chat.example.com/sub',
      true,
    ],
    [
      'another site behind a proxy',
      'https://evil.example',
      '10.0.0.7:8065',
      'https://chat.example.com',
      false,
    ],
    [
      'the site without its TLS',
      'http://chat.example.com',
      'chat.example.com',
      'https://chat.example.com/sub',
      false,
    ],
    ['a site without TLS', 'http://chat.example.com', '10.0.0.7:8065', 'http://chat.example.com', true],
    [
      'another name of a site with TLS',
      'http://10.0.0.7:8065',
      '10.0.0.7:8065',
      'https://chat.example.com',
      true,
    ],
    ['a page without an origin', 'null', 'chat.example.com', undefined, false],
    ['a file', 'file://', 'chat.example.com', undefined, false],
    ['nonsense', '::', 'chat.example.com', undefined, false],
    ['no host at all', 'https://chat.example.com', undefined, undefined, false],
  ])('%s', (_, origin, host, siteUrl, expected) => {
    expect(isOwnOrigin(origin, host, siteUrl)).toBe(expected);
  });
});
