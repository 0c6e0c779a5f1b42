import express from 'express';
import { RouteIndex, type RouterLayer } from './route-index.js';

const PATHS = [
  '/api/users/me',
  '/api/users/:user_id',
  '/api/users/:user_id/teams',
  '/api/users/:user_id/teams/:team_id',
  '/api/:kind/search/:word',
  '/api/users/search/:word',
  '/api/users/:user_id/late',
  '/api/users/me/late',
  '/api/files/*path',
  '/api/files/list',
  '/hooks/:id',
];

const WORDS = [
  'api',
  'users',
  'me',
  'ME',
  'teams',
  'search',
  'late',
  'files',
  'list',
  'hooks',
  'x.y',
  'a b',
  '',
];

/** What Express does with a path: the route and the parameters. */
function expressRouter() {
  const app = express();
  const first = (): void => undefined;
  app.use((_request, _response, next) => next()); // as Nest does
  app.use(first);
  app.use('/api/docs', (_request, response) => void response.end());
  for (const path of PATHS) app.get(path, () => undefined);
  app.post('/hooks/:id', () => undefined);
  const { stack } = (app as unknown as { router: { stack: RouterLayer[] } }).router;
  const byExpress = (path: string) => {
    for (const layer of stack.slice(2)) {
      const match = layer.match(path) as { params: object } | false;
      const isRight = match && (!layer.route || layer.route.methods['get']);
      if (isRight) return { path: layer.route?.path, params: { ...match.params } };
    }
    return undefined;
  };
  return { index: new RouteIndex(stack, [first]), byExpress };
}

describe('RouteIndex', () => {
  const { index, byExpress } = expressRouter();
  const find = (path: string) => {
    const found = index.find('GET', path);
    return found && { path: found.route.path, params: { ...found.params } };
  };

  it('finds what Express would, or nothing', () => {
    let count = 0;
    const walk = (path: string, depth: number): void => {
      const found = find(path);
      if (found) expect({ at: path, ...found }).toEqual({ at: path, ...byExpress(path) });
      count += found ? 1 : 0;
      if (depth > 0) for (const word of WORDS) walk(`${path}/${word}`, depth - 1);
    };
    walk('', 4);
    expect(count).toBeGreaterThan(100);
  });

  it.each([
    ['/api/users/me', {}],
    ['/API/Users/abc', { user_id: 'abc' }],
    ['/api/users/abc/teams/def', { user_id: 'abc', team_id: 'def' }],
    ['/hooks/abc', { id: 'abc' }],
  ])('finds %s', (path, params) => {
    expect(find(path)).toMatchObject({ params });
  });

  it.each([
    ['an escape', '/api/users/a%20b'],
    ['a slash at the end', '/api/users/me/'],
    ['an empty segment', '/api//users'],
    ['a fragment', '/api/users/me#top'],
    ['something mounted in front', '/api/docs/search/x'],
    ['a wildcard in front', '/api/files/list'],
    ['no route', '/api/nothing'],
  ])('leaves %s to Express', (_, path) => {
    expect(find(path)).toBeUndefined();
  });

  it('tells methods apart', () => {
    expect(index.find('POST', '/hooks/abc')).toBeDefined();
    expect(index.find('POST', '/api/users/me')).toBeUndefined();
    expect(index.find('HEAD', '/api/users/me')).toBeUndefined();
  });
});
