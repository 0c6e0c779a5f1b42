import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '../scripts/bundle.mjs';
import { run as createAdmin } from '../src/startup/create-admin.js';
import { run as resetPassword } from '../src/startup/reset-password.js';
import { ApiClient } from './support/api-client.mjs';
import { runHere } from './support/run-here.js';
import { learnSecret } from './support/secrets.mjs';
import { Site } from './support/site.js';
import { createTestDatabase } from './support/test-database.js';
import { ADMIN_PASSWORD } from './support/test-server.js';

const PASSWORD = 'a quiet afternoon by the sea';

interface Told {
  readonly env: Record<string, string>;
  readonly dataDir: string;
  readonly input?: string;
}

const COMMANDS = { 'create-admin': createAdmin, 'reset-password': resetPassword };
type Command = keyof typeof COMMANDS;

/** Runs `hookline create-admin` or `hookline reset-password` to its end. */
async function run(command: Command, args: readonly string[], { env, input = `${PASSWORD}\n` }: Told) {
  const { code, output } = await runHere(COMMANDS[command], { args, env, input });
  return { code, output };
}

/** The same as a process of its own. */
async function start(command: Command, args: readonly string[], told: Told) {
  const child = spawn(process.execPath, [programFile(command), ...args], {
    cwd: told.dataDir,
    env: { PATH: process.env['PATH'], ...told.env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  child.stdin.end(told.input ?? `${PASSWORD}\n`);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

/** docs/operating.md#accounts */
describe('the account commands', () => {
  let site: Site;
  let folder: string;
  let bot: { readonly username: string; readonly owner_id: string };
  beforeAll(async () => {
    learnSecret('password', PASSWORD);
    folder = mkdtempSync(join(tmpdir(), 'hookline-accounts-'));
    site = await Site.open('accounts', { LOCAL_MODE_SOCKET: join(folder, 'local.sock') });
    bot = (await site.admin.post('/bots', { username: 'robot', display_name: 'Robot' })).body;
  }, 60_000);
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });

  const told = (more: object = {}): Told => ({
    env: { ...site.database.env, ...site.env },
    dataDir: site.database.dataDir,
    ...more,
  });
  const withoutSocket = () => told({ env: site.database.env });
  const signIn = (name: string, password = PASSWORD) => new ApiClient(site.url).login(name, password);

  async function refusesInvalidInput(): Promise<void> {
    const short = { input: 'short\n' };
    for (const [command, args, more, reason] of [
      ['create-admin', ['admin'], {}, 'Invalid username: an account with this name already exists'],
      ['reset-password', ['admin'], short, /^Invalid password: it must have at least \d+ characters/],
      ['reset-password', ['nobody'], {}, 'No account has that name.'],
      ['reset-password', [bot.username], {}, 'a bot has no password'],
    ] as const) {
      const { code, output } = await run(command, args, told(more));
      expect([code, output]).toEqual([
        1,
        typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason),
      ]);
      expect(output.split('\n')).toHaveLength(2);
    }
  }

  it('work next to a running server through the local mode socket', async () => {
    expect(await start('create-admin', ['Second', '--email', 'second@example.com'], told())).toEqual({
      code: 0,
      output: 'second is an administrator.\n',
    });
    const second = await signIn('second');
    expect((await second!.get('/users/me')).body).toMatchObject({
      email: 'second@example.com',
      roles: 'system_admin system_user',
    });
    const { code, output } = await run('reset-password', ['second', '--generate'], told());
    expect([code, output]).toEqual([0, expect.stringMatching(/have ended\.\nPassword: [a-z0-9]{26}\n$/)]);
    const made = output.trim().split(' ').at(-1)!;
    learnSecret('password', made);
    expect((await second!.get('/users/me')).status).toBe(401);
    expect(await signIn('second')).toBeUndefined();
    expect(await signIn('second', made)).toBeDefined();
    await refusesInvalidInput();
  }, 60_000);

  it('do not touch the database of a server without local mode', async () => {
    const { code, output } = await run('reset-password', ['admin'], withoutSocket());
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Another Hookline process is already using .* LOCAL_MODE_SOCKET, this works/),
    ]);
    expect(await signIn('admin', ADMIN_PASSWORD)).toBeDefined();
  }, 60_000);

  it('work in the database of a stopped server, and are audited', async () => {
    await site.admin.put(`/users/${bot.owner_id}/patch`, { nickname: 'Still here' });
    await site.stop();
    await refusesInvalidInput();
    expect((await start('create-admin', ['third'], told())).output).toBe('third is an administrator.\n');
    expect((await start('reset-password', ['admin'], withoutSocket())).code).toBe(0);
    await site.start();
    expect((await site.admin.get('/users/me')).status).toBe(401);
    expect(await signIn('admin', ADMIN_PASSWORD)).toBeUndefined();
    const admin = await signIn('admin');
    expect((await (await signIn('third'))!.get('/users/me')).body.roles).toBe('system_admin system_user');
    const { body: audits } = await admin!.get('/audits?per_page=100');
    const commands = audits.filter(({ ip_address, user_id }: any) => ip_address === '' && user_id === '');
    expect(commands.map(({ action }: any) => action)).toEqual(
      expect.arrayContaining(['create_user', 'update_password']),
    );
  }, 90_000);

  it('create no database, and do not replace a first start', async () => {
    const empty = await createTestDatabase();
    const { code, output } = await start('create-admin', ['early'], { ...empty });
    expect([code, output]).toEqual([1, expect.stringMatching(/ start the server once/)]);
    expect(existsSync(join(empty.dataDir, 'hookline.db'))).toBe(false);
    await empty.drop();
  }, 60_000);
});
