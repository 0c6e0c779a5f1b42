import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiDocument } from '../scripts/api-document.mjs';
import { AccessWorld, type CallerKind, CALLERS, type Scope, SCOPES } from './factories/access-world.js';
import { newId } from '../src/platform/common/ids.js';
import type { PrivateWorld } from './factories/private-world.js';
import type { Answer } from './support/api-client.mjs';
import { isChecked, REFUSALS, type Request, REQUESTS } from './support/module-access.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const PAGE = path.join(__dirname, '..', 'docs', 'access.md');
const TABLE = /(?<=<!-- prettier-ignore-start -->\n)[^]*(?=<!-- prettier-ignore-end -->)/;

/** The parts of a path parameter. The targets are `any`: worlds of several shapes, each with what its routes need. */
const PARAMS: Readonly<Record<string, (target: any, path: string) => string>> = {
  team_id: ({ team }) => team.id,
  team_name: ({ team }) => team.name,
  invite_id: ({ team }) => team.invite_id,
  channel_id: ({ closed }) => closed.id,
  channel_name: ({ closed }) => closed.name,
  post_id: ({ post }) => post.id,
  id: ({ incoming }) => incoming.id,
  hook_id: ({ incoming, outgoing }, route) => (/outgoing/.test(route) ? outgoing.id : incoming.id),
  delivery_id: ({ delivery }) => delivery.id,
  request_id: () => newId(),
  recovery_id: ({ recovery }) => recovery.id,
  user_id: ({ victim }) => victim.id,
  username: ({ victim }) => victim.username,
  email: ({ victim }) => victim.email,
  remote_id: ({ remote }) => remote.remote_id,
  token_id: ({ token }) => token.id,
  bot_user_id: ({ bot }) => bot.user_id,
  role_id: ({ roleId }) => roleId('team_user'),
  role_name: () => 'team_user',
  category: ({ preference }) => preference.category,
  preference_name: ({ preference }) => preference.name,
};

/** Requests other than GET that do not change anything other requests need. */
const HARMLESS =
  /\/(ids|usernames|names|search|explain|dry_run|preview|view|stats|login)$|^\/hooks\/:id$|\/(preferences|status)$/;
const IS_ABOUT_A_USER = /:user_id|:username|:email|:token_id|\/users\/tokens\//;

interface Route {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  /** As documented. */
  readonly template: string;
}

describe('every route', () => {
  let server: TestServer;
  let world: AccessWorld;

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
    world = new AccessWorld(server, await server.admin.call('GET', '/roles'));
  });
  afterAll(() => server?.close());

  const send = async (kind: CallerKind, scope: Scope, route: Route): Promise<number> => {
    const request: Request = REQUESTS[route.label] ?? REFUSALS[route.label]?.[0] ?? {};
    const target = await world.target(kind, scope, partsOf(request, route));
    const { path: place, query, body } = filledIn(request, route, target);
    const client = await world.client(kind);
    const { status } = await client.send(route.method, `${place}${query}`, body);
    if (status < 300 && route.method !== 'GET' && !HARMLESS.test(route.path)) await world.reset(route.path);
    return status;
  };

  const rowsOf = async (route: Route): Promise<string[]> => {
    const scopes = SCOPES.filter((scope) => scope !== "administrator's" || IS_ABOUT_A_USER.test(route.path));
    const rows = new Map<string, Scope[]>();
    for (const scope of scopes) {
      const statuses: number[] = [];
      for (const kind of CALLERS) statuses.push(await send(kind, scope, route));
      const cells = statuses.join(' | ');
      rows.set(cells, [...(rows.get(cells) ?? []), scope]);
    }
    return [...rows].map(([cells, of]) => {
      const whose = of.length === scopes.length ? 'any' : of.join(', ');
      return `| \`${route.label}\` | ${whose} | ${cells} |`;
    });
  };

  it('responds to each kind of caller as documented in docs/access.md', async () => {
    const page = readFileSync(PAGE, 'utf8');
    // Routes that are not called keep their rows.
    const rows = (TABLE.exec(page)?.[0].match(/^\| `.*$/gm) ?? []).filter((row) => !isChecked(labelOf(row)));
    for (const route of describedRoutes()) if (isChecked(route.label)) rows.push(...(await rowsOf(route)));
    const head = [
      `| Route | Whose | ${CALLERS.join(' | ')} |`,
      `| --- | --- | ${CALLERS.map(() => '---').join(' | ')} |`,
    ];
    const order = (row: string): string => labelOf(row).split(' ').reverse().join(' ');
    rows.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
    const table = `\n${[...head, ...rows].join('\n')}\n\n`;
    if (process.env['UPDATE_ACCESS_TABLE'])
      writeFileSync(
        PAGE,
        page.replace(TABLE, () => table),
      );
    else expect(TABLE.exec(page)?.[0]).toBe(table);
  }, 180_000);

  it('that reads JSON sends an ETag, and an empty 304 if it matches', async () => {
    const client = await world.client('administrator');
    const tagged: string[] = [];
    const untagged: string[] = [];
    for (const route of describedRoutes().filter(
      ({ method, label }) => method === 'GET' && isChecked(label),
    )) {
      const request: Request = REQUESTS[route.label] ?? {};
      const target = await world.target('administrator', 'own', partsOf(request, route));
      const { path: place, query } = filledIn(request, route, target);
      const get = (known: string): Promise<Answer> =>
        client.get(`${place}${query}`, { headers: { 'if-none-match': known } });
      const first = await get('"other"');
      if (first.status !== 200 || first.headers['content-type'] !== 'application/json') continue;
      const isTagged = async (): Promise<boolean> => {
        const whole = await get('"other"'); // its content may have changed
        const tag = String(whole.headers['etag']);
        const { status, text, headers } = await get(`"other", W/${tag}`);
        return status === 304 && text === '' && headers['etag'] === tag && !headers['content-type'];
      };
      await eventually(isTagged, 1_000).catch(() => untagged.push(route.label));
      tagged.push(route.template);
    }
    expect(untagged).toEqual([]);
    if (!process.env['CHECK_MODULE']) expect(tagged.length).toBeGreaterThan(60);
  }, 60_000);
});

/** The route of a row. */
const labelOf = (row: string): string => /`(.*?)`/.exec(row)?.[1] ?? '';

/** Every operation of the OpenAPI document. */
function describedRoutes(): Route[] {
  const routes = Object.entries(apiDocument().paths as Record<string, object>).flatMap(
    ([template, operations]) =>
      Object.keys(operations).map((name): Route => {
        const method = name.toUpperCase();
        const shown = template.replace('/api/v4', '').replace(/\{(\w+)\}/g, ':$1');
        return { label: `${method} ${shown}`, method, path: shown, template };
      }),
  );
  const order = ({ method, path: shown }: Route): string => `${shown} ${method}`;
  return routes.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function filledIn(
  { params, query, body }: Request,
  route: Route,
  target: any,
): { path: string; query: string; body: unknown } {
  const given = params?.(target as PrivateWorld) ?? {};
  const value = (name: string): string => given[name] ?? PARAMS[name]?.(target, route.path) ?? target[name];
  return {
    path: route.template.replace(/\{(\w+)\}/g, (_, name: string) => value(name)),
    query: query ? `?${query(target as PrivateWorld)}` : '',
    body: body?.(target as PrivateWorld),
  };
}

/** The parts of a target that a request uses, found by building it from an empty target. */
function partsOf(request: Request, route: Route): Set<string> {
  const parts = new Set<string>();
  const nothing: object = new Proxy(() => undefined, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
    apply: () => nothing,
    ownKeys: () => [],
  });
  const target = new Proxy({}, { get: (_, name) => (parts.add(String(name)), nothing) });
  filledIn(request, route, target);
  return parts;
}
