import { isDeepStrictEqual } from 'node:util';
import { buildPrivateWorld, MARKER, type PrivateWorld } from './factories/private-world.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { FOR_EVERYBODY, isChecked, RECORDS, REFUSALS } from './support/module-access.js';
import type { Refusal } from './support/refusals.js';
import { routesOf } from './support/routes.js';
import { storedRows } from './support/stored-rows.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** The body contains the id too, and must match the path. */
const IN_BODY = /^PUT \/(channels|teams)\/:\w+$|^POST \/teams\/:team_id\/members$/;
/** Permissions are checked before the channel is looked up, and an unknown channel grants none. */
const BLIND = /^(?!DELETE|POST \S+members$|PUT \S+notify_props).*\/:channel_id\/(members|unread)/;
/** Lists of what a user has in a team. */
const EMPTY =
  /^GET \/users\/:user_id\/teams\/:team_id\/(channels\/|threads)|^GET \/sharedchannels\/:team_id$/;

describe('a caller without permission', () => {
  let server: TestServer;
  let world: PrivateWorld;
  /** Ids of records of modules, by the parameter that names them. */
  const records: Record<string, string> = {};

  beforeAll(async () => {
    server = await startTestServer();
    world = await buildPrivateWorld(server);
    for (const [name, make] of Object.entries(RECORDS))
      records[name] = await make(server.admin, world.team.id);
  });
  afterAll(() => server?.close());

  const cases = Object.entries(REFUSALS).flatMap(([route, refusals]) =>
    (isChecked(route) ? refusals : []).map((refusal, index) => ({
      route,
      refusal,
      name: `${route} ${index + 1}, ${refusal.by}`,
    })),
  );

  const send = (
    client: ApiClient,
    route: string,
    { params, query, body }: Refusal,
    ids: Record<string, string> = {},
  ): Promise<Answer> => {
    const [method, path] = route.split(' ') as [string, string];
    const { team, closed, post, incoming, outgoing, delivery, victim, remote, token, bot } = world;
    const values: Record<string, string> = {
      team_id: team.id,
      team_name: team.name,
      channel_id: closed.id,
      channel_name: closed.name,
      post_id: post.id,
      hook_id: path.startsWith('/hooks/incoming') ? incoming.id : outgoing.id,
      delivery_id: delivery.id,
      request_id: world.newId(),
      recovery_id: world.recovery.id,
      user_id: victim.id,
      username: victim.username,
      email: victim.email,
      remote_id: remote.remote_id,
      token_id: token.id,
      bot_user_id: bot.user_id,
      role_id: world.roleId('team_user'),
      category: 'songs',
      preference_name: MARKER,
      ...records,
      ...params?.(world),
      ...ids,
    };
    const target = path.replace(/:([a-z_]+)/g, (_, name: string) => values[name]!);
    return client.send(method, `/api/v4${target}${query ? `?${query(world)}` : ''}`, body?.(world));
  };

  it('is defined for every restricted route', () => {
    const guarded = routesOf(server)
      .filter(({ access }) => access && access.kind !== 'public' && access.kind !== 'guarded')
      .map(({ method, path }) => `${method} ${path}`);
    expect([...Object.keys(REFUSALS), ...FOR_EVERYBODY].sort()).toEqual(guarded.sort());
  });

  it('is refused by all of them, and changes nothing', async () => {
    let before = await storedRows(server);
    const failed: unknown[] = [];
    for (const { route, refusal, name } of cases) {
      const answer = await send(world.callers[refusal.by], route, refusal);
      const expected = refusal.status ?? 403;
      const id = answer.body?.id;
      const after = await storedRows(server);
      const saw = {
        status: answer.status,
        shows: answer.text.includes(MARKER),
        changes: !isDeepStrictEqual(after, before),
      };
      before = after;
      if (saw.status !== expected || saw.shows || saw.changes) failed.push({ name, expected, ...saw, id });
    }
    expect(failed).toEqual([]);
  });

  it.each([
    ['an unknown', 'y'.repeat(26), 404],
    ['an invalid', 'junk', 400],
  ])('differs from %s team or channel', async (_, id, expected) => {
    const failed: unknown[] = [];
    const ids = { team_id: id, channel_id: id };
    for (const { route, refusal, name } of cases.filter(({ route }) => /:(team|channel)_id/.test(route))) {
      if (IN_BODY.test(route)) continue;
      const { status, body } = await send(server.admin, route, refusal, ids);
      const wanted = expected === 404 ? (BLIND.test(route) ? 403 : EMPTY.test(route) ? 200 : 404) : 400;
      if (status !== wanted) failed.push([name, status, body?.id]);
    }
    expect(failed).toEqual([]);
  });

  it('differs from a system administrator, who is allowed the same requests', async () => {
    const failed: unknown[] = [];
    const sent = new Set<string>();
    for (const { route, refusal, name } of cases) {
      const request = JSON.stringify([route, refusal.params?.(world), refusal.body?.(world)]);
      if (sent.has(request)) continue;
      sent.add(request);
      const { status, body, text } = await send(server.admin, route, refusal);
      const isRight = refusal.allowed ? status === refusal.allowed : status === 200 || status === 201;
      if (!isRight) failed.push({ name, status, id: body?.id, text: text.slice(0, 300) });
    }
    expect(failed).toEqual([]);
  });
});
