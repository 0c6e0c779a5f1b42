import { cookieValue, presentedToken } from './presented-token.js';

const T = 'k1f8zcm5wtd5jfzn8u5fxpbkjy';

describe('presentedToken', () => {
  it.each([
    ['a cookie', { cookie: `x=1; MMAUTHTOKEN=${T}; y=2` }, '/', 'cookie'],
    ['a cookie before a header', { cookie: `MMAUTHTOKEN=${T}`, authorization: 'Bearer a' }, '/', 'cookie'],
    ['a header', { cookie: 'MMAUTHTOKEN=', authorization: `BEARER ${T}` }, '/', 'header'],
    ['the other scheme', { authorization: `token ${T}` }, '/', 'header'],
    ['a header before a query', { authorization: `bearer ${T}` }, '/x?access_token=other', 'header'],
    ['a query', {}, `/x?a=b&access_token=${T}`, 'query'],
  ])('accepts %s', (_, headers, url, location) =>
    expect(presentedToken(headers, url)).toEqual({ token: T, location }),
  );

  it('cuts a long one', () => {
    const { token } = presentedToken({ authorization: `Bearer ${'a'.repeat(60)}` }, '/')!;
    expect(token).toBe('a'.repeat(50));
  });

  it.each([
    [{}, '/'],
    [{ authorization: 'Basic YTpi' }, '/'],
    [{ authorization: 'Bearer' }, '/'],
    [{ authorization: `Bearer${T}` }, '/'],
    [{ cookie: 'NOTMMAUTHTOKEN=x' }, '/x?access_token='],
  ])('finds nothing in %j %s', (headers, url) => expect(presentedToken(headers, url)).toBeUndefined());
});

describe('cookieValue', () => {
  it.each([
    ['a=1; b=2', 'b', '2'],
    ['a = 1 ;b="2"', 'b', '2'],
    ['a=x=y', 'a', 'x=y'],
    ['a=1; a=2', 'a', '1'],
    ['ab=1', 'a', undefined],
    [';;=;a', 'a', undefined],
    [undefined, 'a', undefined],
  ])('of %j, %s is %j', (header, name, expected) => expect(cookieValue(header, name)).toBe(expected));
});
