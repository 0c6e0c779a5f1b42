import type { Access } from '../src/platform/access/access.js';
import { Declared } from '../src/platform/modules/collect.js';
import { type Route, routesOf } from './support/routes.js';
import { startTestServer, type TestServer } from './support/test-server.js';

function describeAccess(access: Access | undefined): string {
  if (!access) return 'UNDECLARED';
  if (access.kind === 'public') return access.readsSession ? 'public' : 'public, reads no session';
  if (access.kind === 'signed-in') return 'signed in';
  if (access.kind === 'guarded') return access.who;
  if (access.kind === 'policy') return `policy: ${access.permissions.join(', ')}`;
  return `${access.permission} on ${access.scope === 'system' ? 'the system' : access.scope.name}`;
}

/** Routes outside the prefix of the API, so that their paths start differently from the others. */
const WITHOUT_PREFIX = [
  'POST /hooks/:id',
  'GET /hooks/:hook_id',
  ...['GET', 'POST'].flatMap((method) => [
    `${method} /hooks/:id/:token`,
    `${method} /hooks/:id/:user/:token`,
  ]),
  ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /hooks/:id/messages/:post_id`),
];

/** Whether both routes match some path, and the later one is more specific in the first segment that differs. */
function shadows(earlier: Route, later: Route): boolean {
  if (earlier.method !== later.method) return false;
  if (WITHOUT_PREFIX.includes(`${earlier.method} ${earlier.path}`)) return false;
  const [before, after] = [earlier.path.split('/'), later.path.split('/')];
  if (before.length !== after.length) return false;
  const isParameter = (segment: string): boolean => segment.startsWith(':');
  const overlaps = before.every((segment, at) => {
    const other = after[at]!;
    return segment === other || isParameter(segment) || isParameter(other);
  });
  const differing = before.findIndex((segment, at) => isParameter(segment) !== isParameter(after[at]!));
  return overlaps && differing >= 0 && isParameter(before[differing]!);
}

describe('access to routes', () => {
  let server: TestServer;
  let routes: Route[];

  beforeAll(async () => {
    server = await startTestServer();
    routes = routesOf(server);
  });
  afterAll(() => server.close());

  it('is declared by every route', () => {
    expect(routes.length).toBeGreaterThan(100);
    expect(routes.filter((route) => !route.access)).toEqual([]);
  });

  it('requires permissions that a module declares', () => {
    const declared = new Set(server.app.get(Declared).permissions.map(({ permission }) => permission));
    const named = routes.flatMap(({ access }) => {
      if (access?.kind === 'permission') return access.permission;
      return access?.kind === 'policy' ? access.permissions : [];
    });
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((permission) => !declared.has(permission))).toEqual([]);
  });

  it('is exactly as in this table', () => {
    const table = routes
      .map(
        ({ method, path, access, audited }) =>
          `${path} ${method.padEnd(6)} | ${describeAccess(access)}${audited ? ` | audited as ${audited}` : ''}`,
      )
      .sort()
      .join('\n');
    expect(table).toMatchSnapshot();
  });

  it('is not decided by an earlier route that also matches the path', () => {
    // The router takes the first match: a literal segment has to come before a parameter in the same place.
    const shadowed = routes.flatMap((route, index) =>
      routes
        .slice(0, index)
        .filter((earlier) => shadows(earlier, route))
        .map((earlier) => `${earlier.method} ${earlier.path} hides ${route.path}`),
    );
    expect(shadowed).toEqual([]);
  });

  it('requires more than a cookie for changes, regardless of the type of the body', async () => {
    const cookie = `MMAUTHTOKEN=${server.admin.token}`;
    const bodies = {
      'text/plain': '{}',
      'application/x-www-form-urlencoded': 'a=b',
      'multipart/form-data; boundary=b': '--b--',
    };
    let count = 0;
    for (const { method, path, access } of routes) {
      if (method === 'GET' || access?.kind === 'public' || access?.kind === 'guarded') continue;
      const target = path.replace(/:[a-z_]+/g, 'aaaaaaaaaaaaaaaaaaaaaaaaaa');
      for (const [type, raw] of Object.entries(bodies)) {
        const headers = { cookie, 'content-type': type };
        const { status, body } = await server.anonymous.send(method, target, undefined, { raw, headers });
        expect([method, path, status, body?.id]).toEqual([
          method,
          path,
          401,
          'api.context.session_expired.app_error',
        ]);
      }
      count++;
    }
    expect(count).toBeGreaterThan(60);
  });

  it('is checked: every route that is not public returns 401 without a session', async () => {
    for (const { method, path, access } of routes) {
      if (access?.kind === 'public') continue;
      const target = path.replace(/:[a-z_]+/g, 'aaaaaaaaaaaaaaaaaaaaaaaaaa');
      const answer = await server.anonymous.send(method, target, method === 'GET' ? undefined : {});
      expect({ method, path, status: answer.status, id: answer.body?.id }).toEqual({
        method,
        path,
        status: 401,
        id: 'api.context.session_expired.app_error',
      });
    }
  });
});
