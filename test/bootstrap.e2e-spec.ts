import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSummary } from '../src/startup/start-summary.js';
import { SettingError } from '../src/platform/config/parse.js';
import { readSettings } from '../src/app.settings.js';
import { Settings } from '../src/platform/config/settings.js';
import { IncomingHookChangesService } from '../src/incoming-hooks/incoming-hook-changes.service.js';
import { IncomingHooksRepository } from '../src/incoming-hooks/incoming-hooks.repository.js';
import { JsonLogger } from '../src/platform/logging/logger.js';
import { type RunningServer, startServer } from '../src/startup/server.js';
import { ApiClient } from './support/api-client.mjs';
import { type LaunchOptions, ServerProcess } from './support/server-process.mjs';
import { learnSecret } from './support/secrets.mjs';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { ADMIN_PASSWORD, eventually, startTestServer } from './support/test-server.js';

/** Processes start slowly on a busy machine. */
jest.setTimeout(90_000);

/** The first start and the graceful stop of whole processes. */
describe('bootstrap', () => {
  let database: TestDatabase;
  const running: ServerProcess[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const main of running.splice(0)) {
      if (!main.hasEnded) main.signal('SIGKILL');
      await main.exit();
    }
    await database.drop();
  });

  const adminFile = (): string => join(database.dataDir, 'initial-admin.json');
  const startMain = (env: Record<string, string> = {}, options: LaunchOptions = {}): ServerProcess => {
    const main = new ServerProcess({ ...database.env, ...env }, { cwd: database.dataDir, ...options });
    running.push(main);
    return main;
  };

  describe('an empty database', () => {
    it('gets an administrator, a team with its channels, and a webhook', async () => {
      const server = await startTestServer({}, database);
      const { admin, adminId } = server;
      expect((await admin.get('/users/me')).body).toMatchObject({
        username: 'admin',
        roles: 'system_admin system_user',
        email: 'admin@localhost.localdomain',
      });
      const team = (await admin.get('/teams/name/main')).body;
      expect(team).toMatchObject({ display_name: 'Main', type: 'O' });
      const { body: channels } = await admin.get(`/teams/${team.id}/channels`);
      expect(channels.map((channel: any) => channel.name).sort()).toEqual(['off-topic', 'town-square']);
      const { body: membership } = await admin.get(`/teams/${team.id}/members/${adminId}`);
      expect(membership).toMatchObject({ scheme_admin: true, scheme_user: true });
      const { body: hooks } = await admin.get('/api/v4/hooks/incoming');
      expect(hooks).toHaveLength(1);
      expect(hooks[0]).toMatchObject({
        display_name: 'First webhook',
        user_id: adminId,
        team_id: team.id,
        channel_id: channels.find((channel: any) => channel.name === 'town-square').id,
        channel_locked: true,
      });
      expect(existsSync(adminFile())).toBe(false); // the password was given
      await server.close();
    });

    it('is filled once, however often the server starts', async () => {
      const first = await startTestServer({}, database);
      const { body: hooks } = await first.admin.get('/api/v4/hooks/incoming');
      const { body: users } = await first.admin.get('/users');
      await first.close();
      // Logs in with the password of the first start: a later ADMIN_PASSWORD changes nothing.
      const second = await startTestServer({ ADMIN_PASSWORD: 'another password' }, database);
      expect((await second.admin.get('/api/v4/hooks/incoming')).body).toEqual(hooks);
      expect((await second.admin.get('/users')).body).toHaveLength(users.length);
      expect((await second.admin.get('/teams')).body).toHaveLength(1);
      await second.close();
    });

    it('is filled even if the URL of the webhook cannot be saved to a file', async () => {
      mkdirSync(join(database.dataDir, 'first-webhook.txt.new'), { recursive: true });
      const server = await startTestServer({}, database);
      expect((await server.admin.get('/api/v4/hooks/incoming')).body).toHaveLength(1);
      expect(server.logs.join('')).toContain('The URL of the first webhook is not saved');
      await server.close();
    });

    it('is filled completely or not at all', async () => {
      const failing = jest
        .spyOn(IncomingHookChangesService.prototype, 'add')
        .mockRejectedValueOnce(new Error('Power cut.'));
      await expect(startTestServer({}, database)).rejects.toThrow('Power cut.');
      failing.mockRestore();
      const server = await startTestServer({}, database);
      expect((await server.admin.get('/users')).body).toHaveLength(1);
      expect((await server.admin.get('/api/v4/hooks/incoming')).body).toHaveLength(1);
      await server.close();
    });

    it('stays empty with BOOTSTRAP=none; the first account then is the administrator', async () => {
      const server = await startTestServer({ BOOTSTRAP: 'none' }, database);
      const account = (name: string) => ({
        username: name,
        email: `${name}@example.com`,
        password: ADMIN_PASSWORD,
      });
      const first = await server.anonymous.post('/users', account('first'));
      expect(first.status).toBe(201);
      expect(first.body.roles).toBe('system_admin system_user');
      expect((await server.anonymous.post('/users', account('second'))).status).toBe(403);
      const admin = await server.login('first');
      expect((await admin.get('/teams')).body).toEqual([]);
      expect((await admin.get('/api/v4/hooks/incoming')).body).toEqual([]);
      expect((await admin.get('/roles')).body.length).toBeGreaterThan(10);
      expect((await admin.post('/users', account('second'))).body.roles).toBe('system_user');
      await server.close();
      const again = await startTestServer({ BOOTSTRAP: 'none' }, database);
      expect((await (await again.login('first')).get('/users')).body).toHaveLength(2);
      await again.close();
    });

    it.each([
      ['ADMIN_USERNAME', 'Not A Name!'],
      ['ADMIN_EMAIL', 'nowhere'],
      ['ADMIN_PASSWORD', 'short'],
    ])('rejects an invalid %s by name, and stays empty', async (variable, value) => {
      const start = startTestServer({ [variable]: value }, database);
      await expect(start).rejects.toThrow(SettingError);
      await expect(start).rejects.toThrow(variable);
      const server = await startTestServer({}, database);
      expect((await server.admin.get('/users')).body).toHaveLength(1);
      await server.close();
    });
  });

  describe('a stop', () => {
    const start = async (env: Record<string, string> = {}): Promise<RunningServer> =>
      startServer(
        readSettings({ PORT: '0', ADMIN_PASSWORD, ...database.env, ...env }),
        new JsonLogger('silent'),
        () => undefined,
      );
    const open = async (
      url: string,
    ): Promise<{ socket: Socket; received: () => string; ended: Promise<void> }> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await new Promise((resolve) => socket.once('connect', resolve));
      return { socket, received: () => text, ended };
    };
    const body = JSON.stringify({ login_id: 'admin', password: ADMIN_PASSWORD });
    const head = `POST /api/v4/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;

    it('finishes running requests, refuses new ones, and does not wait for idle clients', async () => {
      const server = await start();
      const idle = await open(server.url);
      idle.socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      await eventually(() => idle.received().includes('200 OK'));
      const silent = await open(server.url);
      const half = await open(server.url);
      half.socket.write('GET /health/live HTTP/1.1\r\nHo');
      const busy = await open(server.url);
      busy.socket.write(head);
      await eventually(() => busy.received().includes('100 Continue')); // it has started
      await eventually(async () => (await connections(server)) === 4);
      const closed = server.close();
      await idle.ended;
      await expect(new ApiClient(server.url).get('/health/live')).rejects.toThrow();
      busy.socket.write(body);
      await eventually(() => busy.received().includes('200 OK'));
      await Promise.all([closed, busy.ended, silent.ended, half.ended]);
    });

    it('reports not ready during SHUTDOWN_DELAY', async () => {
      const server = await start({ SHUTDOWN_DELAY: '500ms' });
      const api = new ApiClient(server.url);
      expect((await api.get('/health/ready')).status).toBe(200);
      const closed = server.close();
      expect((await api.get('/health/ready')).body).toMatchObject({ status_code: 503 });
      expect((await api.get('/system/ping')).status).toBe(200);
      await closed;
      await expect(api.get('/health/live')).rejects.toThrow();
    });

    const connections = (server: RunningServer): Promise<number> =>
      new Promise((resolve) =>
        (server.app.getHttpServer() as ReturnType<typeof createServer>).getConnections((_, count) =>
          resolve(count),
        ),
      );

    it('unlocks the database, and stores the last uses', async () => {
      const server = await start();
      const { firstHookId } = server.contents;
      server.app.get(IncomingHooksRepository).touch(firstHookId!, 1_800_000_000_000);
      await server.close();
      const next = await startTestServer({}, database);
      expect((await next.admin.get(`/api/v4/hooks/incoming/${firstHookId}`)).body.last_used).toBe(
        1_800_000_000_000,
      );
      await next.close();
    });
  });

  describe('the file with the first password', () => {
    const login = (server: RunningServer, name: string, password: string): Promise<ApiClient> =>
      new ApiClient(server.url).login(name, password).then((client) => client!);
    /** The id and password of the administrator that the start created, and a session. */
    const signedIn = async (
      server: RunningServer,
    ): Promise<{ admin: ApiClient; id: string; first: string }> => {
      const { id, username, password } = JSON.parse(readFileSync(adminFile(), 'utf8'));
      learnSecret('password', password);
      return { admin: await login(server, username, password), id, first: password };
    };
    const start = (): Promise<RunningServer> =>
      startServer(readSettings({ PORT: '0', ...database.env }), new JsonLogger('silent'), () => undefined);
    const isGone = (): Promise<unknown> => eventually(() => !existsSync(adminFile()));
    const newPassword = 'another long password';

    it('is deleted when another administrator changes the password, even after a rename', async () => {
      const server = await start();
      const { admin, id, first } = await signedIn(server);
      const other = { username: 'other', email: 'other@example.com', password: newPassword };
      const { id: otherId } = await admin.call('POST', '/users', other);
      await admin.call('PUT', `/users/${otherId}/roles`, { roles: 'system_admin system_user' });
      const second = await login(server, 'other', newPassword);
      await second.call('PUT', '/users/me/password', {
        current_password: newPassword,
        new_password: 'one more password',
      });
      await admin.call('PUT', `/users/${id}/patch`, { username: 'renamed', password: first });
      expect(existsSync(adminFile())).toBe(true);
      await second.call('PUT', `/users/${id}/password`, { new_password: 'one more password' });
      await isGone();
      await server.close();
    });

    it('is deleted on the next start if the password was changed without it', async () => {
      const server = await start();
      const { admin, first } = await signedIn(server);
      const text = readFileSync(adminFile(), 'utf8');
      const change = { current_password: first, new_password: newPassword };
      await admin.call('PUT', '/users/me/password', change);
      await isGone();
      await server.close();
      writeFileSync(adminFile(), text);
      const next = await startTestServer({ BOOTSTRAP: 'none' }, database);
      expect(existsSync(adminFile())).toBe(false);
      await next.close();
    });
  });

  describe('the summary', () => {
    const contents = {
      hasUsers: true,
      adminUsername: 'admin',
      adminPassword: undefined,
      firstHookName: 'First webhook',
      firstHookPath: '/data/first-webhook.txt',
      firstHookId: 'h'.repeat(26),
    };
    const summary = (
      env: Record<string, string>,
      port = 8065,
      more: object = {},
      isTerminal = true,
    ): string => {
      const started = { url: `http://127.0.0.1:${port}`, port, contents: { ...contents, ...more } };
      return startSummary(new Settings({ DATA_DIR: '/data', ...env }), started, isTerminal);
    };

    it('contains all locations, and the example call on a separate line', () => {
      expect(summary({}).split('\n')).toEqual([
        '',
        expect.stringMatching(/^ {2}Hookline [\d.]+ is running\.$/),
        '',
        '  Site            http://localhost:8065',
        '  API docs        http://localhost:8065/api/docs',
        '  Health          http://localhost:8065/health/ready',
        '  Listens on      http://127.0.0.1:8065 (this machine only; HOST=0.0.0.0 opens it)',
        '  Data folder     /data',
        '  Administrator   admin',
        '  Webhook         First webhook, URL in /data/first-webhook.txt',
        '',
        '  Post a message:',
        '',
        `curl -i -X POST -H 'Content-Type: application/json' -d '{"text":"Hello from Hookline"}' http://localhost:8065/hooks/${'h'.repeat(26)}`,
        '',
        '',
      ]);
    });

    it('hides the database password, and uses SITE_URL and the assigned port', () => {
      expect(summary({ SITE_URL: 'https://chat.example.com/' })).toContain(
        "' https://chat.example.com/hooks/hhh",
      );
      expect(summary({ PORT: '0' }, 4711)).toContain('http://localhost:4711/api/docs');
      const text = summary({ DATABASE_URL: 'mysql://hook:s%40cret@db.example.com:3306/hookline?ssl=true' });
      expect(text).toContain('Database        mysql://hook:****@db.example.com:3306/hookline\n');
      expect(text).not.toContain('cret');
    });

    it('names the file of the password, and omits what does not exist', () => {
      const path = '/data/initial-admin.json';
      expect(summary({}, 8065, { adminPassword: { path } })).toContain(`admin, first password in ${path}\n`);
      expect(summary({}, 8065, { adminPassword: 'settings' })).toContain(
        'admin, with the password of ADMIN_PASSWORD\n',
      );
      const later = summary({}, 8065, { firstHookId: undefined, firstHookPath: undefined });
      expect(later).not.toContain('curl');
      expect(later).toContain('  Webhook         First webhook\n');
      const noHook = { firstHookName: undefined, firstHookPath: undefined, firstHookId: undefined };
      const empty = { hasUsers: false, adminUsername: undefined, ...noHook };
      expect(summary({}, 8065, empty)).toContain('the first account that is created through the API');
      expect(summary({}, 8065, empty)).not.toContain('Webhook');
    });
  });

  describe('the program', () => {
    it('starts without settings, prints an example call, stops on SIGTERM, and starts again', async () => {
      const main = await startMain({}, { isBuilt: true }).ready();
      const { username, password } = JSON.parse(readFileSync(adminFile(), 'utf8'));
      expect((statSync(adminFile()).mode & 0o777).toString(8)).toBe('600');
      expect(main.stdout).toContain(`first password in ${adminFile()}`);
      expect(main.stdout).not.toContain(password);
      expect(main.stderr).toBe('');
      expect(main.stdout).not.toContain('{"level"');
      const hookFile = join(database.dataDir, 'first-webhook.txt');
      expect(main.stdout).toContain(`First webhook, URL in ${hookFile}\n`);
      const command = readFileSync(hookFile, 'utf8').trim();
      expect(main.stdout).not.toContain(command.slice(-26));
      const { stdout: answer } = await promisify(execFile)('sh', ['-c', `${command} --silent`]);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).toMatch(/\r\n\r\nok$/);
      const login = await new ApiClient(main.url).post('/users/login', { login_id: username, password });
      expect(login.status).toBe(200);
      expect(await main.stop()).toBe(0);
      expect((statSync(hookFile).mode & 0o777).toString(8)).toBe('600');
      const kept = readFileSync(hookFile, 'utf8');
      expect(kept.trim().slice(-26)).toBe(command.slice(-26));
      writeFileSync(join(database.dataDir, '.env'), 'PROT=80\n');
      const again = await startMain({ ALOWED_INTERNAL_HOSTS: '10.0.0.1' }, { isBuilt: true }).ready();
      expect(again.stdout).toMatch(
        /"level":"warn".*The setting PROT in \.env .* Did you mean PORT\?.*\n.*ALOWED_INTERNAL_HOSTS .* Did you mean ALLOWED_INTERNAL_HOSTS\?/,
      );
      expect(again.stdout).not.toContain(command.slice(-26));
      expect(again.stdout).not.toContain('curl');
      expect(again.stdout).toContain(`First webhook, URL in ${hookFile}\n`);
      expect(readFileSync(hookFile, 'utf8')).toBe(kept);
      expect(JSON.parse(readFileSync(adminFile(), 'utf8')).password).toBe(password);
      again.signal('SIGINT');
      expect(await again.exit()).toBe(0);
    });

    it('starts once when started three times at once', async () => {
      const mains = [startMain(), startMain(), startMain()];
      await eventually(() => mains.filter((main) => main.hasEnded).length === 2, 60_000);
      const [winner] = mains.filter((main) => !main.hasEnded);
      await winner!.ready();
      for (const loser of mains.filter((main) => main !== winner)) {
        expect(await loser.exit()).toBe(1);
        expect(loser.stdout).toBe('');
        expect(loser.stderr).toMatch(/^Another Hookline process is already using .*\n$/);
      }
      expect((await new ApiClient(winner!.url).get('/health/live')).status).toBe(200);
      expect(await winner!.stop()).toBe(0);
    });

    it('survives a kill during its first start', async () => {
      const killed = startMain({ ADMIN_PASSWORD });
      await eventually(
        () =>
          killed.hasEnded ||
          (isMysql ? killed.stdout !== '' : existsSync(join(database.dataDir, 'hookline.db'))),
        60_000,
      );
      killed.signal('SIGKILL');
      await killed.exit();
      const main = await startMain({ ADMIN_PASSWORD }).ready();
      const client = new ApiClient(main.url);
      const login = await client.post('/users/login', { login_id: 'admin', password: ADMIN_PASSWORD });
      const admin = client.as(String(login.headers['token']));
      expect((await admin.get('/api/v4/hooks/incoming')).body).toHaveLength(1);
      expect(await main.stop()).toBe(0);
    });

    const refusal = async (env: Record<string, string>): Promise<string> => {
      const main = startMain(env);
      expect(await main.exit()).toBe(1);
      expect(main.stdout).toBe('');
      expect(main.stderr.split('\n')).toHaveLength(2);
      return main.stderr.trim();
    };

    it('explains in one sentence why it cannot start', async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => taken.once('listening', resolve));
      const { port } = taken.address() as AddressInfo;
      const [setting, busy, away] = await Promise.all([
        refusal({ MAX_PAYLOAD_BYTES: 'much' }),
        refusal({ PORT: String(port), DATA_DIR: join(database.dataDir, 'new') }),
        refusal({ DATABASE_URL: 'mysql://hook:s3cret@127.0.0.1:1/hookline' }),
      ]);
      taken.close();
      expect(existsSync(join(database.dataDir, 'new'))).toBe(false); // nothing is created for it
      expect(setting).toMatch(/^MAX_PAYLOAD_BYTES must be .*, but is "much"\.$/);
      expect(busy).toBe(
        `Port ${port} on 127.0.0.1 is in use by another process. Stop that one, or set PORT to a free port.`,
      );
      expect(away).toBe('The database at 127.0.0.1:1 (DATABASE_URL) cannot be reached: ECONNREFUSED.');
    });

    it('exits at once on the second signal', async () => {
      const main = await startMain({ ADMIN_PASSWORD }).ready();
      const socket = connect(Number(new URL(main.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.write(
        'POST /api/v4/users/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n',
      );
      await eventually(() => received.includes('100 Continue')); // its body never arrives
      main.signal('SIGTERM');
      await eventually(() =>
        new ApiClient(main.url).get('/health/live').then(
          () => false,
          () => true,
        ),
      );
      expect(main.hasEnded).toBe(false);
      main.signal('SIGTERM');
      expect(await main.exit()).toBe(1);
      socket.destroy();
    });
  });
});
