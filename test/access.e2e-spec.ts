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

  it('asks for permissions that a module declares', () => {
    const declared = new Set(server.app.get(Declared).permissions.map(({ permission }) => permission));
    const named = routes.flatMap(({ access }) => {
      if (access?.kind === 'permission') return access.permission;
      return access?.kind === 'policy' ? access.permissions : [];
    });
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((permission) => !declared.has(permission))).toEqual([]);
  });

  it('is exactly what this table says', () => {
    const table = routes
      .map(
        ({ method, path, access, audited }) =>
          `${path} ${method.padEnd(6)} | ${describeAccess(access)}${audited ? ` | audited as ${audited}` : ''}`,
      )
      .sort()
      .join('\n');
    expect(table).toMatchSnapshot();
  });

  it('needs more than a cookie where something changes, whatever the type of the body', async () => {
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

  it('is asked for: every route that is not public answers 401 to a stranger', async () => {
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
