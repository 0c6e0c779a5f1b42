import { isOwnOrigin } from './live-gateway.js';

describe('isOwnOrigin', () => {
  const CHAT = 'chat.example.com';
  const PROXIED = '10.0.0.7:8065';
  it.each([
    ['programs send none', undefined, CHAT, undefined, true],
    ['the same host', `https://${CHAT}`, CHAT, undefined, true],
    ['in other capitals', 'https://CHAT.example.com', 'chat.Example.com', undefined, true],
    ['the same port', 'http://localhost:8065', 'localhost:8065', undefined, true],
    ['the default port of its scheme', `https://${CHAT}`, `${CHAT}:443`, undefined, true],
    ['a default port of the other scheme', `https://${CHAT}`, `${CHAT}:80`, undefined, false],
    ['another port', 'http://localhost:3000', 'localhost:8065', undefined, false],
    ['another host', 'https://evil.example', CHAT, undefined, false],
    ['a host with the same beginning', `https://${CHAT}.evil.example`, CHAT, undefined, false],
    ['the site behind a proxy', `https://${CHAT}`, PROXIED, `https://${CHAT}/sub`, true],
    ['another site behind a proxy', 'https://evil.example', PROXIED, `https://${CHAT}`, false],
    ['the site without its TLS', `http://${CHAT}`, CHAT, `https://${CHAT}/sub`, false],
    ['a site without TLS', `http://${CHAT}`, PROXIED, `http://${CHAT}`, true],
    ['another name of a site with TLS', 'http://10.0.0.7:8065', PROXIED, `https://${CHAT}`, true],
    ['a page without an origin', 'null', CHAT, undefined, false],
    ['a file', 'file://', CHAT, undefined, false],
    ['nonsense', '::', CHAT, undefined, false],
    ['no host at all', `https://${CHAT}`, undefined, undefined, false],
  ])('%s', (_, origin, host, siteUrl, expected) => {
    expect(isOwnOrigin(origin, host, siteUrl)).toBe(expected);
  });
});
