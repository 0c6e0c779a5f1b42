import type { Response } from 'express';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import type { Settings } from '../../platform/config/settings.js';
import { SessionCookies } from './session-cookies.js';

/** The options of the cookies that `act` sets at a site. */
function optionsAt(
  siteUrl: string | undefined,
  act: (cookies: SessionCookies, request: HttpRequest, response: Response) => void,
  headers: Record<string, string> = {},
): Record<string, object> {
  const set: Record<string, object> = {};
  const request = { headers, socket: {} } as unknown as HttpRequest;
  const response = { cookie: (name: string, _: string, options: object) => (set[name] = options) };
  act(new SessionCookies({ siteUrl } as Settings), request, response as unknown as Response);
  return set;
}

const signIn = (cookies: SessionCookies, request: HttpRequest, response: Response): void =>
  cookies.set(request, response, { token: 't', userId: 'u', csrf: 'c' });

describe('SessionCookies', () => {
  it.each([
    ['https://chat.example.com/team', {}, '/team', true],
    ['http://chat.example.com', {}, '/', false],
    ['http://chat.example.com', { 'x-forwarded-proto': 'https' }, '/', true],
    [undefined, {}, '/', false],
  ])('at %s with %j have the path %s and are secure: %s', (siteUrl, headers, path, secure) => {
    const set = optionsAt(siteUrl, signIn, headers);
    expect(Object.keys(set)).toEqual(['MMAUTHTOKEN', 'MMUSERID', 'MMCSRF']);
    for (const options of Object.values(set))
      expect(options).toMatchObject({ path, secure, sameSite: 'lax' });
    expect(Object.values(set).map((options) => 'httpOnly' in options)).toEqual([true, false, false]);
  });

  it('are cleared with the same attributes', () => {
    const set = optionsAt('https://chat.example.com', (cookies, _, response) => cookies.clear(response));
    expect(set).toEqual({
      MMAUTHTOKEN: { path: '/', maxAge: 0, httpOnly: true, secure: true, sameSite: 'lax' },
    });
  });
});
