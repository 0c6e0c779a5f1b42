import { cleanPath, isUnclean, redirectToCleanPath } from './clean-path.js';

const UNCLEAN: readonly [path: string, clean: string][] = [
  ['//', '/'],
  ['/.', '/'],
  ['/..', '/'],
  ['/../..', '/'],
  ['//hooks/a', '/hooks/a'],
  ['/hooks//a', '/hooks/a'],
  ['/hooks///a', '/hooks/a'],
  ['/api/v4//', '/api/v4/'],
  ['/api/./v4', '/api/v4'],
  ['/api/v4/.', '/api/v4'],
  ['/api/x/../v4', '/api/v4'],
  ['/api/../../v4', '/v4'],
  ['//evil.com/x', '/evil.com/x'],
  ['/.//evil.com', '/evil.com'],
  ['/..//..//evil.com', '/evil.com'],
];
const CLEAN = [
  '/',
  '/api/v4',
  '/api/v4/',
  '/hooks/%2F%2Fa',
  '/a/..b',
  '/a/b..',
  '/a/...',
  '/.b',
  '/%2e%2e/a',
];

it.each(UNCLEAN)('%s becomes %s', (path, clean) => {
  expect([isUnclean(path), cleanPath(path)]).toEqual([true, clean]);
  expect(isUnclean(clean)).toBe(false);
});

it.each(CLEAN)('%s stays as it is', (path) =>
  expect([isUnclean(path), cleanPath(path)]).toEqual([false, path]),
);

describe('a redirect', () => {
  const locationOf = (url: string, siteUrl?: string): unknown => {
    const headers: Record<string, unknown> = {};
    const response = {
      setHeader: (name: string, value: unknown) => (headers[name] = value),
      end: () => undefined,
    };
    redirectToCleanPath(siteUrl)({ url } as never, response as never, () => undefined);
    return headers['Location'];
  };

  it.each([
    ['/api//v4?a=//b&c=/../d', '/api/v4?a=//b&c=/../d'],
    ['/api//v4?', '/api/v4?'],
    ['//\\evil.com', '/%5Cevil.com'],
    ['/\\//evil.com', '/%5C/evil.com'],
    ['//\t/evil.com', '/%09/evil.com'],
    ['//\u00e9?"<', '/%E9?%22%3C'],
    ['//%2Fevil.com', '/%2Fevil.com'],
  ])('from %j leads to %s', (url, location) => expect(locationOf(url)).toBe(location));

  it('stays below the path of the site', () => {
    expect(locationOf('//hooks/a', 'https://example.com/chat')).toBe('/chat/hooks/a');
    expect(locationOf('//hooks/a', 'https://example.com/')).toBe('/hooks/a');
    expect(locationOf('//hooks/a', 'https://example.com//evil.com/')).toBe('/evil.com/hooks/a');
  });

  it('is not sent for a clean path', () => expect(locationOf('/api/v4?a=//b')).toBeUndefined());
});
