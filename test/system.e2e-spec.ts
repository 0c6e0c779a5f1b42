import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ConsolePage } from '../src/console/console-page.js';
import { HealthService } from '../src/platform/health/health.service.js';
import { MetricsService } from '../src/platform/metrics/metrics.service.js';
import { VERSION } from '../src/platform/common/version.js';
import { newId } from '../src/platform/common/ids.js';
import { OwnerLock } from '../src/platform/database/owner-lock.js';
import { DatabaseCheck } from '../src/platform/database/database-pool.js';
import { RedisCheck } from '../src/platform/scaling/redis-check.js';
import { EMPTY_ANSWERS } from '../src/messaging/system/empty-answers.controller.js';
import { buildMember, buildTeam } from './factories/incoming-hooks.js';
import { checkAnswer } from './support/answer-check.mjs';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { findFreePort } from './support/server-process.mjs';
import { ADMIN_PASSWORD, eventually, startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Runs `action` during a database outage. */
async function withoutDatabase<T>(action: () => Promise<T>): Promise<T> {
  const gone = new Error('gone');
  const checks = server
    .everywhere(DatabaseCheck)
    .map((check) => jest.spyOn(check, 'failure').mockResolvedValue(gone));
  try {
    return await action();
  } finally {
    checks.forEach((check) => check.mockRestore());
  }
}

describe('fields of missing features', () => {
  it('are refused if they would change the meaning of a call', async () => {
    const { admin } = server;
    const team = await buildTeam(admin);
    const channel = (await admin.get(`/teams/${team.id}/channels/name/town-square`)).body;
    const login = { login_id: 'admin', password: ADMIN_PASSWORD };
    const bodies: [call: string, body: object, field: string, value: unknown][] = [
      [`PUT /teams/${team.id}/patch`, { description: 'a' }, 'group_constrained', true],
      [`PUT /teams/${team.id}/patch`, { description: 'a' }, 'group_constrained', 'true'],
      [`PUT /teams/${team.id}/patch`, { description: 'a' }, 'group_constrained', 1],
      [`PUT /teams/${team.id}`, { id: team.id }, 'scheme_id', newId()],
      [`PUT /channels/${channel.id}/patch`, { header: 'a' }, 'group_constrained', true],
      [`PUT /channels/${channel.id}/patch`, { header: 'a' }, 'banner_info', { enabled: true }],
      ['POST /users/login', login, 'ldap_only', 'true'],
      ['POST /users/search', { term: 'a' }, 'in_group_id', newId()],
      ['POST /channels/search', { term: 'a' }, 'group_constrained', true],
      ['POST /channels/search', { term: 'a' }, 'exclude_remote', true],
      ['POST /teams/search', { term: 'a' }, 'group_constrained', true],
      ['POST /teams/search', { term: 'a' }, 'allow_open_invite', true],
      ['POST /users/search', { term: 'a' }, 'roles', ['system_admin']],
      ['POST /users/search', { term: 'a' }, 'team_roles', ['team_admin']],
      ['POST /users/search', { term: 'a' }, 'channel_roles', ['channel_admin']],
    ];
    for (const [call, body, field, value] of bodies) {
      const [method = '', path = ''] = call.split(' ');
      const send = (sent: unknown) => admin.send(method, path, { ...body, [field]: sent });
      expectError(await send(value), 400, 'api.context.invalid_body_param.app_error', field);
      for (const empty of [null, false, '', 0, {}, []]) expect((await send(empty)).status).toBeLessThan(300);
    }
    for (const query of [`in_group=${newId()}`, 'group_constrained=true'])
      expectError(await admin.get(`/users?${query}`), 400, /invalid_url_param/, query.split('=')[0]);
    expect((await admin.get('/users?in_group=&group_constrained=false')).status).toBe(200);
  });
});

it('a missing permission is named in the message', async () => {
  const { client } = await buildMember(server);
  const answer = await client.get('/audits');
  expectError(answer, 403, 'api.context.permissions.app_error', 'read_audits is missing');
});

describe('GET /system/ping', () => {
  it('returns OK without a session', async () => {
    const answer = await server.anonymous.get('/system/ping');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const mobile = {
      AndroidLatestVersion: '',
      AndroidMinVersion: '',
      IosLatestVersion: '',
      IosMinVersion: '',
    };
    expect(answer.body).toEqual({ status: 'OK', ...mobile, ActiveSearchBackend: 'database' });
    expect(answer.headers['database_status']).toBeUndefined();
  });

  const check = (query = ''): Promise<Answer> =>
    server.anonymous.get(`/system/ping?get_server_status=true${query}`);

  it('checks its parts on request, and returns them in the body and in headers', async () => {
    const { status, body, headers } = await check();
    const parts = { status: 'OK', database_status: 'OK', filestore_status: 'OK' };
    expect([status, body, headers]).toMatchObject([200, parts, parts]);
  });

  it('returns 500 when a part is unhealthy, and 200 with REST semantics', async () => {
    await withoutDatabase(async () => {
      const { status, body, headers } = await check();
      const parts = { status: 'UNHEALTHY', database_status: 'UNHEALTHY', filestore_status: 'OK' };
      expect([status, body, headers]).toMatchObject([500, parts, parts]);
      const gentle = await check('&use_rest_semantics=true');
      expect([gentle.status, gentle.body.status]).toEqual([200, 'UNHEALTHY']);
      expect((await server.anonymous.get('/system/ping')).status).toBe(200);
    });
  });

  it('detects a missing data folder', async () => {
    await server.withSettings({ dataDir: `${server.settings.dataDir}/nowhere` }, async () => {
      const { status, body } = await check();
      const parts = { database_status: 'OK', filestore_status: 'UNHEALTHY' };
      expect([status, body]).toMatchObject([500, parts]);
    });
  });
});

describe('GET /config/client', () => {
  const SHORT = ['Version', 'BuildNumber', 'BuildDate', 'BuildHash', 'SiteURL', 'SiteName'];
  const SIGNED_IN = ['EnableIncomingWebhooks', 'EnableUserAccessTokens', 'PostEditTimeLimit'];

  it.each([['no session'], ['an invalid token']])(
    'returns the short set with %s, all as strings',
    async (what) => {
      const client = what === 'no session' ? server.anonymous : server.anonymous.as(newId());
      const { body } = await client.get('/config/client?format=old');
      expect(Object.values(body).every((value) => typeof value === 'string')).toBe(true);
      expect(Object.keys(body)).toEqual(expect.arrayContaining(SHORT));
      for (const key of SIGNED_IN) expect(body).not.toHaveProperty(key);
      const some = { EnableUserCreation: 'true', EnableOpenServer: 'false', PasswordMinimumLength: '8' };
      expect(body).toMatchObject({ ...some, Version: '11.6.0', EnableLdap: 'false', WebsocketURL: '' });
    },
  );

  it('returns the full set with a session, in any format', async () => {
    const { body } = await server.admin.get('/config/client?format=new');
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...SHORT, ...SIGNED_IN]));
    const some = {
      EnableIncomingWebhooks: 'true',
      EnablePostUsernameOverride: 'true',
      EnableCommands: 'false',
    };
    expect(body).toMatchObject({ ...some, PostEditTimeLimit: '-1', EnableUserStatuses: 'true' });
  });

  it('follows the settings', async () => {
    const changed = { enableIncomingWebhooks: false, siteUrl: 'https://chat.example.com' };
    await server.withSettings(changed, async () => {
      const shown = { EnableIncomingWebhooks: 'false', SiteURL: 'https://chat.example.com' };
      expect((await server.admin.get('/config/client')).body).toMatchObject(shown);
    });
  });

  it('cannot be changed', async () => {
    expect((await server.admin.put('/config', {})).status).toBe(404);
  });
});

it('GET /config shows the settings by section to administrators', async () => {
  const { body } = await server.admin.get('/config');
  expect(body).toMatchObject({
    ServiceSettings: { EnableIncomingWebhooks: true, EnableOutgoingWebhooks: true, PostEditTimeLimit: -1 },
    TeamSettings: { SiteName: 'Hookline' },
    PasswordSettings: { MinimumLength: 8 },
  });
});

describe('GET /system/settings', () => {
  it('shows administrators the effective settings, their source and process', async () => {
    const { status, body } = await server.admin.get('/system/settings');
    expect(status).toBe(200);
    expect(body.process).toMatchObject({ process_id: process.pid, worker: 0, version: VERSION });
    const named = (name: string): any => body.settings.find((setting: any) => setting.name === name);
    expect(named('INVITE_TTL')).toEqual({
      ...{ name: 'INVITE_TTL', section: 'Secure connections', meaning: expect.stringMatching(/invite/) },
      ...{ values: 'duration', value: '48h', default_value: '48h', origin: 'default', is_hidden: false },
    });
    expect(named('DATA_DIR')).toMatchObject({ origin: 'environment', is_hidden: false });
    const documented = readFileSync('docs/settings.md', 'utf8').match(/^\| `[A-Z_]+`/gm) ?? [];
    expect(body.settings).toHaveLength(documented.length);
  });

  it('shows only whether secrets are set', async () => {
    const { body, text } = await server.admin.get('/system/settings');
    const hidden = body.settings.filter((setting: any) => setting.is_hidden);
    expect(hidden.map(({ name }: any) => name)).toContain('ADMIN_PASSWORD');
    expect(hidden.every(({ value, origin }: any) => value === '' && origin === 'environment')).toBe(true);
    expect(text).not.toContain(ADMIN_PASSWORD);
  });
});

it('GET /license/client reports that no licence is installed, in the old format', async () => {
  const ask = (query: string): Promise<Answer> => server.anonymous.get(`/license/client${query}`);
  expect((await ask('?format=old')).body).toEqual({ IsLicensed: 'false' });
  expectError(await ask(''), 400, 'api.license.client.old_format.app_error');
  expectError(await ask('?format=new'), 400, undefined, 'format');
});

describe('paths with empty or dot segments', () => {
  /** Sends a path unchanged, which other clients would normalise. */
  const send = (method: string, path: string, body = ''): Promise<IncomingMessage & { text: string }> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${server.url}/`, { method, path }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve(Object.assign(response, { text })));
      });
      request.on('error', reject).end(body);
    });

  it.each([
    ['GET', '/api//v4/system/ping?a=//b', '/api/v4/system/ping?a=//b'],
    ['HEAD', '//api/v4/system/ping', '/api/v4/system/ping'],
    ['GET', '/api/v4/users//me', '/api/v4/users/me'],
    ['PUT', '/api/v4/./users/me/patch', '/api/v4/users/me/patch'],
    ['DELETE', '/api/v4/posts/../users/me', '/api/v4/users/me'],
    ['POST', '/api/v4//posts', '/api/v4/posts'],
    ['POST', '//api/v4/posts?set_online=false', '/api/v4/posts?set_online=false'],
    ['POST', '/hooks//y4tdzcm5wtd5jfzn8u5fxpbkjo', '/hooks/y4tdzcm5wtd5jfzn8u5fxpbkjo'],
    ['POST', '//hooks/y4tdzcm5wtd5jfzn8u5fxpbkjo', '/hooks/y4tdzcm5wtd5jfzn8u5fxpbkjo'],
    ['POST', '/hooks/./y4tdzcm5wtd5jfzn8u5fxpbkjo', '/hooks/y4tdzcm5wtd5jfzn8u5fxpbkjo'],
    ['GET', '/console//index.js', '/console/index.js'],
    ['GET', '//no/such/page', '/no/such/page'],
    ['GET', '//', '/'],
    ['GET', '//example.com/x', '/example.com/x'],
    ['GET', '//\\example.com/x', '/%5Cexample.com/x'],
    ['GET', 'http://localhost//api/v4/system/ping', '/api/v4/system/ping'],
  ])('%s %s is redirected to %s', async (method, path, location) => {
    const { statusCode, headers, text } = await send(method, path, method === 'POST' ? '{"text":"x"}' : '');
    expect([statusCode, headers.location, text]).toEqual([301, location, '']);
    expect(headers['x-request-id']).toHaveLength(26);
  });

  it('are not redirected when they are escaped', async () => {
    for (const path of ['/%2F%2Fexample.com', '/api%2F%2Fv4/users/me', '/hooks/%2e%2e/%2e%2e/x'])
      expect((await send('GET', path)).statusCode).toBe(404);
  });

  it('never reach the route', async () => {
    const name = `team-${newId().slice(0, 8)}`;
    await server.admin.send('POST', '/api/v4//teams', { name, display_name: name, type: 'O' });
    expect((await server.admin.get(`/teams/name/${name}`)).status).toBe(404);
  });
});

describe('lists that clients request on start', () => {
  it.each(EMPTY_ANSWERS.map(([, route, , answer]) => ({ route, answer })))(
    '$route is empty or 501 with any session',
    async ({ route, answer }) => {
      const [method = '', path = ''] = route.replace(' ', ' /').split(' ');
      const found = await server.admin.send(
        method,
        path.replace(':user_id', 'me').replace(/:\w+/g, () => newId()),
      );
      if (typeof answer === 'string') expectError(found, 501, 'api.context.not_available.app_error', answer);
      else expect([found.status, found.body]).toEqual([200, answer]);
      if (!path.includes(':')) return;
      expect((await server.admin.send(method, path.replace(/:\w+/g, 'junk'))).status).toBe(400);
    },
  );

  it('/system/timezones lists time zones', async () => {
    const zones = (await server.admin.get('/system/timezones')).body;
    expect(zones).toEqual(expect.arrayContaining(['Europe/London', 'America/New_York', 'Asia/Tokyo']));
  });

  it('/plugins/webapp is empty without a session', async () => {
    expect((await server.anonymous.get('/plugins/webapp')).body).toEqual([]);
  });

  it('/commands is empty for members of the team', async () => {
    const team = await buildTeam(server.admin);
    const { client } = await buildMember(server, [team.id]);
    expect((await client.get(`/commands?team_id=${team.id}`)).body).toEqual([]);
    for (const query of ['', '?team_id=junk'])
      expect((await client.get(`/commands${query}`)).status).toBe(400);
  });

  it('an unknown path returns 404 with its path', async () => {
    const answer = await server.admin.get('/no/such/call');
    expectError(answer, 404, 'api.context.404.app_error', '/api/docs lists all calls');
    expect(answer.body.detailed_error).toContain('/api/v4/no/such/call');
    const { detailed_error: detail } = (await server.admin.get(`/hooks/incoming/${'k'.repeat(26)}/no`)).body;
    expect(detail).toContain("url='/api/v4/hooks/incoming/…/no'");
  });
});

describe('health', () => {
  it('is live and ready', async () => {
    for (const check of ['live', 'ready'])
      expect((await server.anonymous.get(`/health/${check}`)).body).toEqual({ status: 'ok' });
  });

  it('is live without its database, but not ready', async () => {
    await withoutDatabase(async () => {
      expect((await server.anonymous.get('/health/live')).status).toBe(200);
      const ready = await server.anonymous.get('/health/ready');
      expectError(ready, 503, 'app.database.unavailable.app_error');
      expect(ready.headers['retry-after']).toBe('5');
    });
  });

  it('is not ready while it stops', async () => {
    const { app } = server;
    const health = new HealthService(app.get(DatabaseCheck), app.get(OwnerLock), app.get(RedisCheck));
    await expect(health.requireReady()).resolves.toBeUndefined();
    health.retire();
    const stopping = { status: 503, id: 'app.server.stopping.app_error' };
    await expect(health.requireReady()).rejects.toMatchObject(stopping);
  });

  it('queries the database once for simultaneous requests', async () => {
    const check = server.app.get(DatabaseCheck);
    expect(check.failure()).toBe(check.failure());
    await expect(check.failure()).resolves.toBeUndefined();
  });
});

describe('GET /metrics', () => {
  // Each instance has separate metrics.
  const metric = async (line: RegExp): Promise<number> =>
    Number(line.exec((await server.first.get('/metrics')).text)?.[1] ?? NaN);

  it('is public, and in the Prometheus format', async () => {
    const answer = await server.anonymous.get('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text).toContain('process_cpu_seconds_total');
    expect(answer.text).toContain('hookline_build_info{version=');
    expect(answer.text).toMatch(/^hookline_database_connections\{state="idle"\} \d+$/m);
    expect(answer.text).toMatch(/^hookline_database_waiting \d+$/m);
  });

  describe('contains exactly', () => {
    const known = async (): Promise<Set<string>> => {
      const { text } = await server.anonymous.get('/metrics');
      return new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
    };
    const ownIn = (text: string): Set<string> =>
      new Set([...text.matchAll(/\bhookline_[a-z_]+/g)].map(([name]) => name));
    const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');

    it('the metrics that docs/operating.md lists', async () => {
      const listed = read('docs/operating.md')
        .split('\n')
        .filter((line) => line.startsWith('| `hookline_'));
      const names = listed.flatMap((line) => {
        const [first = '', ...more] = [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
        return [first, ...more.map((name) => (name.startsWith('_') ? `hookline_endpoints${name}` : name))];
      });
      const own = [...(await known())].filter((name) => name.startsWith('hookline_'));
      expect(names.toSorted()).toEqual(own.filter((name) => name !== 'hookline_build_info').toSorted());
    });

    it.each(['alerts.yaml', 'dashboard.json'])('those that docker/grafana/%s uses', async (file) => {
      const names = await known();
      const asked = ownIn(read(`docker/grafana/${file}`));
      expect(asked.size).toBeGreaterThan(10);
      const unknown = [...asked].filter(
        (name) => !names.has(name) && !names.has(name.replace(/_(bucket|sum|count)$/, '')),
      );
      expect(unknown).toEqual([]);
    });

    it('the metrics of the alerts, which the dashboard shows too', () => {
      const shown = ownIn(read('docker/grafana/dashboard.json'));
      const asked = [...ownIn(read('docker/grafana/alerts.yaml'))];
      expect(asked.filter((name) => !shown.has(name))).toEqual([]);
    });
  });

  it('counts requests by route pattern, and unknown paths as unmatched', async () => {
    const secret = newId();
    const counted = (method: string, route: string, status: number): RegExp =>
      new RegExp(
        `^hookline_http_requests_total\\{method="${method}",route="${route}",status="${status}"\\} (\\d+)$`,
        'm',
      );
    const ofUser = counted('GET', '/api/v4/users/:user_id', 404);
    const before = await metric(ofUser);
    await server.first.as(server.admin.token).get(`/users/${secret}`);
    await server.first.post(`/hooks/${secret}`, { text: 'x' });
    await server.first.get(`/api/v4/some/${secret}/path`);
    const { text } = await server.first.get('/metrics');
    expect(Number(ofUser.exec(text)?.[1])).toBe((before || 0) + 1);
    expect(text).toMatch(counted('POST', '/hooks/:id', 400));
    expect(text).toMatch(counted('GET', 'unmatched', 404));
    expect(text).toMatch(
      /^hookline_http_request_duration_seconds_count\{method="POST",route="\/hooks\/:id"\} \d+$/m,
    );
    expect(text).not.toContain(secret);
  });

  it('counts refused webhook calls by reason', async () => {
    const reason = 'web\\.incoming_webhook\\.invalid\\.app_error';
    const refusals = new RegExp(`^hookline_incoming_hook_refused_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
    const before = (await metric(refusals)) || 0;
    await server.first.post(`/hooks/${newId()}`, { text: 'x' });
    await eventually(async () => (await metric(refusals)) === before + 1);
  });

  it('counts events of other modules', async () => {
    const metrics = server.app.get(MetricsService);
    const posts = /^hookline_posts_created_total\{origin="remote"\} (\d+)$/m;
    const batches = /^hookline_post_commit_batch_size_sum (\d+)$/m;
    const before = await metric(batches);
    metrics.postsCreated('remote', 3);
    metrics.incomingHookExecuted('repeated');
    metrics.postsCommitted(5, 0.002);
    expect(await metric(posts)).toBe(3);
    expect(
      await metric(/^hookline_incoming_hook_executions_total\{outcome="repeated"\} (\d+)$/m),
    ).toBeGreaterThan(0);
    expect(await metric(batches)).toBe(before + 5);
  });
});

describe('access to the metrics', () => {
  const TOKEN = 'a-token-of-the-metrics';
  const scrape = (authorization?: string, path = '/metrics') =>
    server.anonymous.get(path, authorization === undefined ? {} : { headers: { authorization } });

  it('requires METRICS_TOKEN, if it is set', async () => {
    await server.withSettings({ metricsToken: TOKEN }, async () => {
      const almost = [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, TOKEN];
      for (const wrong of [undefined, '', 'Bearer', 'Bearer ', ...almost]) {
        const answer = await scrape(wrong);
        expectError(answer, 401, 'app.metrics.token.app_error');
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
      expectError(await server.admin.get('/metrics'), 401, 'app.metrics.token.app_error');
      for (const right of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`])
        expect((await scrape(right)).status).toBe(200);
    });
  });

  it('is possible on METRICS_PORT only, if it is set, until the server stops', async () => {
    const port = await findFreePort();
    const alone = { REDIS_URL: '' }; // only one can have the port
    const other = await startTestServer({ ...alone, METRICS_PORT: String(port), METRICS_TOKEN: TOKEN });
    const idOf = async (url: string, method = 'GET', headers = { authorization: `Bearer ${TOKEN}` }) => {
      const response = await fetch(url, { method, headers });
      const text = await response.text();
      return response.status === 200
        ? text
        : `${response.status} ${text.startsWith('<') ? 'a page' : JSON.parse(text).id}`;
    };
    const there = `http://127.0.0.1:${port}`;
    try {
      for (const path of ['/metrics', '/metrics/', '/Metrics'])
        expect(await idOf(other.url + path)).toMatch(/^404 /);
      expect(await idOf(`${there}/metrics`, 'GET', {} as any)).toBe('401 app.metrics.token.app_error');
      expect(await idOf(`${there}/metrics`)).toContain('hookline_build_info');
      for (const path of ['/', '/health/live', '/api/v4/system/ping', '/api/v4/openapi.json', '/hooks/x'])
        expect(await idOf(there + path)).toMatch(/^404 /);
      expect(await idOf(`${there}/hooks/anything`, 'POST')).toMatch(/^404 /);
    } finally {
      await other.close();
    }
    await expect(fetch(`${there}/metrics`)).rejects.toThrow();
  });
});

describe('pages', () => {
  const fetchPage = async (path: string) => {
    const response = await fetch(`${server.url}${path}`);
    const headers = Object.fromEntries(response.headers);
    const answer = { status: response.status, headers, text: await response.text() };
    checkAnswer(answer, 'GET', path);
    return answer;
  };

  const fetchLinks = () => server.withSettings({ enableConsole: false }, () => fetchPage('/'));

  it('the front page is the console, if it was built', async () => {
    const page = '<!doctype html><meta nonce="HOOKLINE_NONCE"><title>Console</title>';
    for (const files of server.everywhere(ConsolePage)) Object.assign(files, { page });
    const { status, headers, text } = await fetchPage('/');
    const nonce = /nonce="([\w-]{22})"/.exec(text)?.[1];
    expect([status, text]).toEqual([200, page.replace('HOOKLINE_NONCE', `${nonce}`)]);
    expect((await fetchPage('/')).text).not.toBe(text);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-frame-options': 'DENY' });
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/script-src 'self';.* font-src 'self';.* connect-src 'self'/);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}' 'sha256-`);
    expect(policy).not.toContain('unsafe');
    for (const files of server.everywhere(ConsolePage)) Object.assign(files, { page: undefined });
    expect((await fetchPage('/')).text).toBe((await fetchLinks()).text);
  });

  it('the front page without the console has links to existing pages, even below the path of a proxy', async () => {
    const { text } = await fetchLinks();
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, target]) => target!);
    expect(links).toEqual(expect.arrayContaining(['api/docs', 'health/ready', 'metrics']));
    for (const link of links) {
      expect(link).toMatch(/^[a-z]/); // relative
      expect((await fetchPage(`/${link}`)).status).toBe(200);
    }
  });

  it.each(['/', '/hooks/somewhere', '/nowhere', '/api/docs', '/api/docs/', '/api/docs/index.html'])(
    'the page at %s runs only its own scripts, and in no frame',
    async (path) => {
      const { headers, text } = await fetchPage(path);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; /);
      for (const rule of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(rule);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(text).not.toMatch(/ (style|on[a-z]+)=/);
      const inline = [...text.matchAll(/<(?:style|script)>(.*?)<\/(?:style|script)>/gs)].map(
        ([, code]) => code!,
      );
      for (const code of inline)
        expect(policy).toContain(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
    },
  );

  it.each(['/api/docs', '/api/docs/'])('HEAD %s describes the same page as GET', async (path) => {
    const described = async (method: string): Promise<unknown> => {
      const { status, headers } = await fetch(`${server.url}${path}`, { method });
      const names = ['content-type', 'content-length', 'content-security-policy', 'etag'];
      return [status, ...names.map((name) => headers.get(name))];
    };
    expect(await described('HEAD')).toEqual(await described('GET'));
  });

  it('files of pages, checks and scrapes are not logged at the default level', async () => {
    const levelOf = async (path: string): Promise<string> => {
      const { headers } = await fetchPage(path);
      const id = String(headers['x-request-id']);
      const line = await eventually(() => server.logs.find((one) => one.includes(id)));
      return JSON.parse(line).level;
    };
    for (const path of ['/health/live', '/health/ready', '/metrics', '/api/v4/system/ping'])
      expect([path, await levelOf(path)]).toEqual([path, 'debug']);
    expect(await levelOf('/api/docs/swagger-ui.css')).toBe('debug');
    expect(await levelOf('/api/v4/config/client?format=old')).toBe('info');
  });

  it('Swagger UI stores no token, and loads the document only from here', async () => {
    const { text } = await fetchPage('/api/docs');
    expect(text).toContain('persistAuthorization: false');
    expect(text).toContain('validatorUrl: null');
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
      expect((await fetchPage(`/api/docs/${file}`)).status).toBe(200);
  });

  it('API responses cannot be framed either', async () => {
    const { headers } = await server.anonymous.get('/system/ping');
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
    expect(headers['x-version-id']).toMatch(/^(\d+\.\d+\.\d+)\.\1\.hookline\.false$/);
  });

  it('a browser at a hook URL gets an explanation, whether the hook exists or not', async () => {
    const hook = await buildHook();
    const known = await server.anonymous.get(`/hooks/${hook}`);
    const unknown = await server.anonymous.get(`/hooks/${newId()}`);
    expect([known.status, known.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(known.text).toContain('POST');
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  });

  it('an unknown path outside the API is an HTML page with 404', async () => {
    const { status, headers } = await fetchPage('/favicon.ico');
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('text/html');
  });
});

describe('requests to upgrade to another protocol', () => {
  /** The default headers of the Java client on a plain connection. */
  const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n';

  it('are served normally, including the body, and the connection stays open', async () => {
    const hook = await buildHook();
    const body = JSON.stringify({ text: 'x'.repeat(5_000) });
    const request = `POST /hooks/${hook} HTTP/1.1\r\nHost: localhost\r\n${H2C}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const answers = await conversation([request + body.slice(0, 1_000), body.slice(1_000)], 'ok');
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const twice = await conversation(
      [request + body, 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'],
      '{"status":"ok"}',
    );
    expect(twice.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it.each([
    ['another protocol', H2C],
    ['a WebSocket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
  ])('after a pending one end only the connection: %s', async (_, upgrade) => {
    const ping = 'GET /api/v4/system/ping HTTP/1.1\r\nHost: localhost\r\n';
    await conversation([`${ping}\r\n${ping}${upgrade}\r\n`, `${ping}\r\n`], 'never');
    expect((await server.anonymous.get('/system/ping')).status).toBe(200);
  });

  it('with CONNECT, after a pending one, end the connection', async () => {
    const ping = 'GET /api/v4/system/ping HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const heard = await conversation([`${ping}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`, ping], 'never');
    expect(heard).toBe('');
  });

  /** Sends the pieces and returns the response once it ends with `last`. */
  function conversation(pieces: readonly string[], last: string): Promise<string> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      let heard = '';
      const socket = connect(Number(port), hostname, () => {
        for (const [index, piece] of pieces.entries()) setTimeout(() => socket.write(piece), index * 20);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(heard));
      socket.on('data', (chunk) => {
        heard += chunk.toString();
        if (heard.endsWith(last)) socket.destroy();
      });
    });
  }
});

async function buildHook(): Promise<string> {
  const { channelId } = await buildTeam(server.admin);
  return (await server.admin.post('/hooks/incoming', { channel_id: channelId })).body.id as string;
}
