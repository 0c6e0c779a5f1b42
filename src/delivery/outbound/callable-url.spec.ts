import { requireCallableUrl } from './callable-url.js';

describe('requireCallableUrl', () => {
  it.each([
    'http://hook.example',
    'https://hook.example:8443/a@b?c=@d#e@f',
    'http://hook.example./',
    'http://localhost?@',
    'http://hook.example#@',
    'http://127.0.0.1/..',
    'http://[::1]/',
    'http://münchen.example/',
    'http://hook.example/?next=http://user@other.example/',
    `http://hook.example/${'x'.repeat(2_028)}`,
    `http://hook.example/${'😀'.repeat(2_028)}`,
    `http://${'x'.repeat(319)}/`,
    `http://hook.example/?next=http://${'x'.repeat(400)}`,
  ])('accepts %p', (url) => {
    expect(requireCallableUrl(url).href).toBe(new URL(url).href);
  });

  it.each([
    ['', 'begin with http'],
    ['ftp://hook.example/', 'begin with http'],
    ['HTTP://hook.example/', 'begin with http'],
    ['xhttp://hook.example/', 'begin with http'],
    ['http://', 'begin with http'],
    ['http:///path', 'begin with http'],
    ['http://?query', 'begin with http'],
    ['http://hook.example/ x', 'white space'],
    ['http://hook.example:99999/', 'not valid'],
    ['http://user:secret@hook.example/', 'user name or password'],
    ['http://user@hook.example/', 'user name or password'],
    ['http://@hook.example/', 'user name or password'],
    ['http://:@hook.example/', 'user name or password'],
    ['http://hook.example@/', 'not valid'],
    ['http://.', 'name a host'],
    ['http://..', 'name a host'],
    ['http://../path', 'name a host'],
    ['http://%2e%2e/', 'name a host'],
    ['http://\u3002\u3002/', 'name a host'],
    ['http://.hook.example/', 'name a host'],
    ['http://hook..example/', 'name a host'],
    [`http://${'x'.repeat(320)}/`, 'too long'],
    [`https://${'x'.repeat(320)}/`, 'too long'],
    [`http://hook.example/${'x'.repeat(2_029)}`, 'longer than'],
    [`http://hook.example/${'x'.repeat(2_048)}`, 'longer than'],
  ])('refuses %p', (url, sentence) => {
    expect(() => requireCallableUrl(url)).toThrow(sentence);
    expect(() => requireCallableUrl(url)).not.toThrow('secret');
    expect(() => requireCallableUrl(url)).toThrow(expect.objectContaining({ errorClass: 'bad_url' }));
  });
});
