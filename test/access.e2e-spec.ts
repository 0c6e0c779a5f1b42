import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { AUDITED, type AuditMetadata } from '../src/platform/common/audited.js';
import { ACCESS, type Access } from '../src/platform/access/access.js';
import { Declared } from '../src/platform/modules/collect.js';
import { startTestServer, type TestServer } from './support/test-server.js';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: Access | undefined;
  readonly audited: string | undefined;
}

const first = (path: string | string[] | undefined): string => (Array.isArray(path) ? path[0] : path) ?? '';

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
    const discovery = server.app.get(DiscoveryService, { strict: false });
    const reflector = server.app.get(Reflector);
    const scanner = new MetadataScanner();
    routes = discovery.getControllers().flatMap(({ instance, metatype }) =>
      scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((name): Route[] => {
        const handler = (instance as Record<string, () => unknown>)[name]!;
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) return [];
        const parts = [
          first(Reflect.getMetadata(PATH_METADATA, metatype!)),
          first(Reflect.getMetadata(PATH_METADATA, handler)),
        ];
        return [
          {
            method: RequestMethod[method],
            path: `/${parts
              .map((part) => part.replace(/^\/|\/$/g, ''))
              .filter(Boolean)
              .join('/')}`,
            access: reflector.getAllAndOverride<Access | undefined>(ACCESS, [
              handler,
              metatype as () => unknown,
            ]),
            audited: reflector.get<AuditMetadata | undefined>(AUDITED, handler)?.action,
          },
        ];
      }),
    );
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
