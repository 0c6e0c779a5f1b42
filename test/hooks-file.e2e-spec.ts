import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '../scripts/bundle.mjs';
import { newId } from '../src/platform/common/ids.js';
import { run as applyFile } from '../src/startup/apply.js';
import { run as exportFile } from '../src/startup/export.js';
import { digestOf } from '../src/startup/hooks-file/inventory.js';
import { run as planFile } from '../src/startup/plan.js';
import { buildIncomingHook, buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { runHere } from './support/run-here.js';
import { learnSecret } from './support/secrets.mjs';
import { startTestServer, type TestServer } from './support/test-server.js';

const COMMANDS = { export: exportFile, plan: planFile, apply: applyFile };
type Command = keyof typeof COMMANDS;

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

const SECRETS = {
  HOOKLINE_SECRET_VERIFIER: 'the secret of the build server',
  HOOKLINE_SECRET_KEY: 'the key of the deployer',
};

/** docs/hooks-file.md */
describe('hookline export, plan and apply', () => {
  let server: TestServer;
  let folder: string;
  let team: any;

  beforeAll(async () => {
    server = await startTestServer();
    for (const secret of Object.values(SECRETS)) learnSecret('secret of a file', secret);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-file-'));
    const name = `t${newId().slice(0, 12)}`;
    team = await server.admin.call('POST', '/teams', { name, display_name: name, type: 'O' });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** In a process of its own, where it has no terminal and can be killed. */
  const start = (command: Command, args: readonly string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [programFile(command), ...args, '--url', server.url], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOOKLINE_TOKEN: server.admin.token, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()));
    const ended = new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ code, output })));
    return { child, ended, output: () => output };
  };
  const run = async (
    command: Command,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<Ran> => {
    const { code, output } = await runHere(COMMANDS[command], {
      args: [...args, '--url', server.url],
      env: { INIT_CWD: folder, HOOKLINE_TOKEN: server.admin.token, ...env },
    });
    return { code, output };
  };
  const write = (text: string, file = 'hooks.yaml'): string => {
    writeFileSync(join(folder, file), text.replaceAll('TEAM', team.name));
    return file;
  };
  const hooksOf = (kind: 'incoming' | 'outgoing'): Promise<any[]> =>
    server.admin.call('GET', `/hooks/${kind}?team_id=${team.id}&per_page=200`);
  const planned = async (args: readonly string[], env?: Record<string, string>): Promise<any> => {
    const { output, code } = await run('plan', [...args, '--json'], env);
    return { code, ...JSON.parse(output) };
  };
  const NONE = { create: 0, change: 0, delete: 0 };

  const FULL = `version: 1
teams: [TEAM]
bots:
  - username: bot-TEAM
    display_name: Deployer
    description: Says what is deployed.
channels:
  - team: TEAM
    name: builds
    display_name: Builds
    header: The builds
  - team: TEAM
    name: secret-builds
    display_name: Secret builds
    type: private
incoming_webhooks:
  - team: TEAM
    name: Build server
    channel: builds
    description: Reports each build.
    username: build-bot
    channel_locked: true
    rate_limit: 600
    expires_at: "2099-01-31T00:00:00Z"
    verifier: { preset: github, secret: { env: HOOKLINE_SECRET_VERIFIER } }
  - team: TEAM
    name: Template
    channel: secret-builds
    format: template
    template: |
      {{ body.job }} is {{ body.status }}
outgoing_webhooks:
  - team: TEAM
    name: Deploy
    channel: builds
    events: [message.triggered, bot.mentioned]
    bot: bot-TEAM
    trigger_words: ["!deploy"]
    callback_urls: ["http://127.0.0.1:9/deploy"]
    content_type: application/json
    headers:
      - { name: X-Api-Key, value: { file: secrets/key } }
      - { name: X-Colour, value: blue }
    auth: { type: basic, username: hookline, password: { env: HOOKLINE_SECRET_KEY } }
    requests_per_second: 5
`;
  const writeFull = (change: (text: string) => string = (text) => text): string => {
    mkdirSync(join(folder, 'secrets'), { recursive: true });
    writeFileSync(join(folder, 'secrets', 'key'), `${SECRETS.HOOKLINE_SECRET_KEY}\n`);
    return write(change(FULL));
  };

  it('plan shows what apply does, and nothing afterwards', async () => {
    const file = writeFull();
    const plan = await run('plan', [file], SECRETS);
    expect(plan.code).toBe(2);
    expect(plan.output).toContain(`+ incoming webhook ${team.name}/Build server`);
    expect(plan.output).toMatch(/6 to create, 0 to change, 0 to delete\.\n$/);
    expect(await hooksOf('incoming')).toEqual([]);

    const applied = await run('apply', [file, '--yes'], SECRETS);
    expect(applied).toMatchObject({
      code: 0,
      output: expect.stringContaining(`created outgoing webhook ${team.name}/Deploy\n`),
    });
    const [build, template] = await hooksOf('incoming');
    expect(build).toMatchObject({
      ...{ display_name: 'Build server', username: 'build-bot', channel_locked: true, rate_limit: 600 },
      ...{ expires_at: Date.UTC(2099, 0, 31), verifier: { preset: 'github', header: 'X-Hub-Signature-256' } },
    });
    expect(template.template).toBe('{{ body.job }} is {{ body.status }}\n');
    const [deploy] = await hooksOf('outgoing');
    expect(deploy).toMatchObject({
      ...{ events: ['message.triggered', 'bot.mentioned'], requests_per_second: 5 },
      headers: [
        { name: 'X-Api-Key', secret: true },
        { name: 'X-Colour', value: 'blue' },
      ],
      auth: { type: 'basic', username: 'hookline' },
    });
    expect(await planned([file], SECRETS)).toMatchObject({ code: 0, ...NONE, steps: [] });
    expect(await planned([file])).toMatchObject({ code: 0, steps: [] });
    const again = await run('apply', [file, '--yes'], SECRETS);
    expect(again).toEqual({ code: 0, output: '0 to create, 0 to change, 0 to delete.\n' });
    expect((await hooksOf('outgoing'))[0].update_at).toBe(deploy.update_at);
    for (const { output } of [plan, applied, again])
      for (const secret of Object.values(SECRETS)) expect(output).not.toContain(secret);
  }, 60_000);

  it('drift is shown field by field, and removed', async () => {
    const file = writeFull();
    await run('apply', [file, '--yes'], SECRETS);
    const [build] = await hooksOf('incoming');
    const [deploy] = await hooksOf('outgoing');
    await server.admin.call('PATCH', `/hooks/incoming/${build.id}`, {
      description: 'By hand',
      verifier: null,
    });
    await server.admin.call('PATCH', `/hooks/outgoing/${deploy.id}`, { headers: [] });
    await server.admin.call('PUT', `/channels/${build.channel_id}/patch`, { header: 'Other' });
    await server.admin.call('PUT', `/channels/${build.channel_id}/privacy`, { privacy: 'P' });
    await server.admin.call('POST', `/bots/${deploy.bot_user_id}/disable`);
    const { code, steps } = await planned([file], SECRETS);
    expect(code).toBe(2);
    expect(
      steps.map(({ kind, name, changes }: any) => [kind, name, changes.map((each: any) => each.field)]),
    ).toEqual([
      ['bot', `bot-${team.name}`, ['disabled']],
      ['channel', 'builds', ['type', 'header']],
      ['incoming webhook', 'Build server', ['description', 'verifier']],
      ['outgoing webhook', 'Deploy', ['headers']],
    ]);
    expect(steps[1].changes[1]).toEqual({ field: 'header', old: 'Other', new: 'The builds' });
    expect(steps[2].changes[1].new).toMatchObject({ preset: 'github', secret: '(secret)' });
    expect((await run('apply', [file, '--yes'], SECRETS)).code).toBe(0);
    expect((await hooksOf('incoming'))[0]).toMatchObject({
      id: build.id,
      description: 'Reports each build.',
    });
    expect(await planned([file], SECRETS)).toMatchObject({ code: 0, steps: [] });
  }, 60_000);

  it('webhooks that are not in the file are deleted with --prune only', async () => {
    const file = writeFull();
    await run('apply', [file, '--yes'], SECRETS);
    const [{ channel_id: channelId }] = await hooksOf('incoming');
    await buildIncomingHook(server.admin, channelId, { display_name: 'By hand' });
    const plan = await run('plan', [file], SECRETS);
    expect(plan.code).toBe(0);
    expect(plan.output).toContain(
      `? incoming webhook ${team.name}/By hand is not in the file; --prune deletes it`,
    );
    expect((await run('apply', [file, '--yes'], SECRETS)).code).toBe(0);
    expect(await hooksOf('incoming')).toHaveLength(3);
    expect(await planned([file, '--prune'], SECRETS)).toMatchObject({ code: 2, delete: 1 });
    expect(await run('apply', [file, '--prune', '--yes'], SECRETS)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`deleted incoming webhook ${team.name}/By hand`),
    });
    expect((await hooksOf('incoming')).map((hook) => hook.display_name)).toEqual([
      'Build server',
      'Template',
    ]);
    // A file without a section leaves its objects alone.
    const none = write('version: 1\nteams: [TEAM]\n', 'none.yaml');
    expect(await planned([none, '--prune'])).toMatchObject({ code: 0, steps: [] });
    const empty = write('version: 1\nteams: [TEAM]\noutgoing_webhooks: []\n', 'empty.yaml');
    expect(await planned([empty, '--prune'])).toMatchObject({ code: 2, delete: 1 });
  }, 60_000);

  it('an export is applied to another team without its secrets, and is the same afterwards', async () => {
    await run('apply', [writeFull(), '--yes'], SECRETS);
    const [{ channel_id: channelId, id }] = await hooksOf('incoming');
    await server.admin.call('PATCH', `/hooks/incoming/${id}`, {
      slack_path: 'T0HOOK/B0BUILD/x7Yq2fKdLw9sPz4mNcVb1A8e',
    });
    const key = 'k3y0fTheReceiver12345';
    await buildOutgoingHook(server.admin, team.id, {
      ...{ display_name: 'Keyed', channel_id: channelId },
      callback_urls: [`http://127.0.0.1:9/${key}`, 'http://127.0.0.1:9/plain'],
    });
    expect(await run('export', ['all.yaml', '--team', team.name])).toEqual({ code: 0, output: '' });
    const text = readFileSync(join(folder, 'all.yaml'), 'utf8');
    for (const secret of [id, key, 'x7Yq2fKdLw9sPz4mNcVb1A8e', ...Object.values(SECRETS)])
      expect(text).not.toContain(secret);
    const prefix = `HOOKLINE_SECRET_${team.name.toUpperCase()}`;
    expect(text).toContain(`
  - team: ${team.name}
    name: Build server
    channel: builds
    owner: admin
    description: Reports each build.
    username: build-bot
    channel_locked: true
    rate_limit: 600
    expires_at: 2099-01-31T00:00:00Z
    slack_path: { env: ${prefix}_BUILD_SERVER_SLACK_PATH }
    verifier:
      preset: github
      secret: { env: ${prefix}_BUILD_SERVER_VERIFIER }
`);
    expect(text).toContain(
      `      - { env: ${prefix}_KEYED_CALLBACK_URLS }\n      - http://127.0.0.1:9/plain\n`,
    );
    expect(await planned(['all.yaml', '--prune'])).toMatchObject({ code: 0, steps: [] });
    expect((await run('export', ['-', '--team', team.name])).output).toBe(text);
    expect(await run('export', ['all.yaml'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('EEXIST'),
    });

    const values = Object.fromEntries(
      [...text.matchAll(/env: (\w+)/g)].map(([, name]) => [name, 'another secret']),
    );
    const env = {
      ...values,
      [`${prefix}_KEYED_CALLBACK_URLS`]: 'http://127.0.0.1:9/other',
      [`${prefix}_BUILD_SERVER_SLACK_PATH`]: '',
    };
    const changed = await planned(['all.yaml'], env);
    expect(changed.steps).toEqual([
      expect.objectContaining({
        name: 'Keyed',
        changes: [
          {
            field: 'callback_urls',
            old: ['(secret)', 'http://127.0.0.1:9/plain'],
            new: ['(secret)', 'http://127.0.0.1:9/plain'],
          },
        ],
      }),
    ]);
  }, 60_000);

  it('an interrupted apply goes on where it was', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Hook ${String(index).padStart(2, '0')}`);
    const hooks = names.map((name) => `  - { team: TEAM, name: ${name}, channel: town-square }\n`);
    const file = write(`version: 1\nteams: [TEAM]\nincoming_webhooks:\n${hooks.join('')}`);
    const interrupted = start('apply', [file, '--yes']);
    interrupted.child.stdout.on('data', () => {
      if (interrupted.output().includes('created')) interrupted.child.kill('SIGKILL');
    });
    expect((await interrupted.ended).code).toBeNull();
    const { create, code } = await planned([file]);
    expect(code).toBe(2);
    expect(create).toBeGreaterThan(0);
    expect(create).toBeLessThan(60);
    expect((await run('apply', [file, '--yes'])).code).toBe(0);
    expect((await hooksOf('incoming')).map((hook) => hook.display_name).sort()).toEqual(names);
  }, 60_000);

  it('a failure names the object and the field, and what has been done', async () => {
    const file = write(`version: 1
teams: [TEAM]
incoming_webhooks:
  - { team: TEAM, name: First, channel: town-square }
  - { team: TEAM, name: Second, channel: town-square, rate_limit: -1 }
  - { team: TEAM, name: Third, channel: town-square }
`);
    const { code, output } = await run('apply', [file, '--yes']);
    expect(code).toBe(1);
    expect(output).toMatch(
      /\nincoming webhook \S+\/Second: The server responded with 400: .*rate_limit.*\n1 of 3 changes were made\. Run/,
    );
    expect((await hooksOf('incoming')).map((hook) => hook.display_name)).toEqual(['First']);
  }, 60_000);

  it('nothing is changed without confirmation, or if a secret is missing', async () => {
    const file = writeFull();
    expect(await run('apply', [file], SECRETS)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing was changed, because --yes is missing.'),
    });
    rmSync(join(folder, 'secrets', 'key'));
    const { code, output } = await run('apply', [file, '--yes'], {
      HOOKLINE_SECRET_KEY: SECRETS.HOOKLINE_SECRET_KEY,
    });
    expect(code).toBe(1);
    expect(output).toContain(
      'the variable HOOKLINE_SECRET_VERIFIER is missing or empty, and apply needs it.',
    );
    expect(output).toContain('the file secrets/key is missing or empty, and apply needs it.');
    expect((await planned([file])).absent_secrets).toHaveLength(3);
    symlinkSync('/etc/hostname', join(folder, 'secrets', 'key'));
    expect(await run('plan', [file], SECRETS)).toMatchObject({
      code: 1,
      output: expect.stringContaining('secrets/key is not in the folder of this file or below it'),
    });
    expect([...(await hooksOf('incoming')), ...(await hooksOf('outgoing'))]).toEqual([]);
  }, 60_000);

  it('secrets are sent again with --secrets, and when a webhook gets another URL', async () => {
    const file = writeFull();
    await run('apply', [file, '--yes'], SECRETS);
    const [{ id, ...build }] = await hooksOf('incoming');
    expect(build.verifier.previous_secret_expires_at).toBe(0);
    const renewed = { ...SECRETS, HOOKLINE_SECRET_VERIFIER: 'the next secret of the build server' };
    learnSecret('secret of a file', renewed.HOOKLINE_SECRET_VERIFIER);
    expect(await planned([file], renewed)).toMatchObject({ code: 0, steps: [] });
    expect(await planned([file, '--secrets'], renewed)).toMatchObject({ code: 2, change: 2 });
    const applied = await run('apply', [file, '--secrets', '--yes'], renewed);
    expect(applied).toMatchObject({
      code: 0,
      output: expect.stringContaining('verifier: the secret is sent again'),
    });
    const { verifier } = await server.admin.call('GET', `/hooks/incoming/${id}`);
    expect(verifier.previous_secret_expires_at).toBeGreaterThan(0);

    writeFull((text) => text.replace('http://127.0.0.1:9/deploy', 'http://127.0.0.1:10/deploy'));
    expect((await run('apply', [file, '--yes'])).output).toContain(
      'Nothing was changed, because secrets are missing.',
    );
    expect((await run('apply', [file, '--yes'], renewed)).code).toBe(0);
    expect((await hooksOf('outgoing'))[0].callback_urls).toEqual(['http://127.0.0.1:10/deploy']);
  }, 60_000);

  it('webhooks are renamed, and told apart by their ids if they share a name', async () => {
    const town = await server.admin.call('GET', `/teams/${team.id}/channels/name/town-square`);
    const first = await buildIncomingHook(server.admin, town.id, { display_name: 'Same' });
    await buildIncomingHook(server.admin, town.id, { display_name: 'Same', description: 'The other' });
    expect((await run('export', ['all.yaml', '--team', team.name])).code).toBe(0);
    expect(await planned(['all.yaml', '--prune'])).toMatchObject({ code: 0, steps: [] });
    const text = readFileSync(join(folder, 'all.yaml'), 'utf8');
    write(text.replaceAll(/ {4}id: .*\n/g, ''), 'ambiguous.yaml');
    expect((await run('plan', ['ambiguous.yaml'])).output).toMatch(
      /^ambiguous\.yaml:\d+: another object has the same name/,
    );
    const head =
      'version: 1\nteams: [TEAM]\nincoming_webhooks:\n  - team: TEAM\n    channel: town-square\n    owner: admin\n';
    expect((await run('plan', [write(`${head}    name: Same\n`)])).output).toMatch(
      /^hooks\.yaml:7: name: several objects have/,
    );
    const digest = digestOf(first);

    write(text.replace(`name: Same\n    id: ${digest}`, `name: Unique\n    id: ${digest}`), 'ids.yaml');
    expect(await planned(['ids.yaml'])).toMatchObject({
      change: 1,
      steps: [{ changes: [{ field: 'name', old: 'Same', new: 'Unique' }] }],
    });
    expect((await run('apply', ['ids.yaml', '--yes'])).code).toBe(0);
    const renamed = write(`${head}    name: Renamed\n    renamed_from: Unique\n`);
    expect(await planned([renamed])).toMatchObject({ create: 0, change: 1, unmanaged: 1 });
    expect((await run('apply', [renamed, '--yes'])).code).toBe(0);
    expect(await planned([renamed])).toMatchObject({ code: 0, change: 0 });
    const ids = (await hooksOf('incoming')).map(({ id, display_name: name }) => [name, id]);
    expect(Object.fromEntries(ids)).toMatchObject({ Renamed: expect.anything(), Same: expect.anything() });
    expect(ids.map(([, id]) => id)).toContain(first.id);
  }, 60_000);

  it('connections are changed but not created', async () => {
    const name = `c${newId().slice(0, 12)}`;
    await server.admin.call('POST', '/remotecluster', { name, default_team_id: team.id });
    const file = write(`version: 1
teams: [TEAM]
connections:
  - { name: ${name}, display_name: Branch office, default_team: TEAM }
  - { name: elsewhere-${name} }
`);
    const { code, output } = await run('apply', [file, '--yes']);
    expect(code).toBe(2);
    expect(output).toContain(`changed connection ${name}\n`);
    expect(output).toContain(
      `! connection elsewhere-${name} is not on the server; a connection begins with an invite`,
    );
    expect(await planned([file])).toMatchObject({ code: 2, change: 0, missing: 1 });
    expect((await run('export', ['all.yaml', '--team', team.name])).code).toBe(0);
    expect(readFileSync(join(folder, 'all.yaml'), 'utf8')).toContain(`
  - name: ${name}
    display_name: Branch office
    default_team: ${team.name}
`);
  }, 60_000);

  it('what the server or the file lacks is named with the line', async () => {
    const file = write(`version: 1
teams: [TEAM, nowhere]
incoming_webhooks:
  - team: TEAM
    name: A
    channel: missing
    owner: nobody-TEAM
`);
    expect(await run('plan', [file])).toEqual({
      code: 1,
      output: [
        `hooks.yaml:2: there is no "nowhere" that you can see`,
        `hooks.yaml:6: channel: there is no "missing" that you can see`,
        `hooks.yaml:7: owner: there is no "nobody-${team.name}" that you can see\n`,
      ].join('\n'),
    });
    await run('apply', [writeFull(), '--yes'], SECRETS);
    const { username } = await server.admin.call('GET', '/users/me');
    const owned = writeFull((text) =>
      text.replace('    name: Deploy\n', `    name: Deploy\n    owner: bot-TEAM\n`),
    );
    expect(username).toBe('admin');
    expect((await run('plan', [owned], SECRETS)).output).toMatch(
      /^hooks\.yaml:\d+: owner: that of an outgoing webhook cannot change/,
    );
  }, 60_000);

  it('callers without the permission, and wrong arguments, are refused', async () => {
    await run('apply', [writeFull(), '--yes'], SECRETS);
    const { client } = await buildMember(server, [team.id]);
    const plain = write('version: 1\nteams: [TEAM]\nincoming_webhooks: []\n', 'plain.yaml');
    expect(await run('plan', [plain], { HOOKLINE_TOKEN: client.token })).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^The incoming webhooks cannot be listed\. The server responded with 403: .*manage_webhooks/,
      ),
    });
    expect(await run('plan', [plain], { HOOKLINE_TOKEN: 'x'.repeat(26) })).toMatchObject({
      code: 1,
      output: expect.stringContaining('The server responded with 401'),
    });
    for (const [command, args, env, reason] of [
      ['plan', [], {}, /^Usage: hookline plan FILE --url SERVER/],
      ['plan', [plain, '--yes'], {}, /^Usage/],
      ['plan', [plain, '--what'], {}, /^Unknown option '--what'/],
      ['plan', [plain], { HOOKLINE_TOKEN: '' }, /HOOKLINE_TOKEN/],
      ['plan', ['none.yaml'], {}, /none\.yaml cannot be read: ENOENT/],
      ['export', ['all.yaml', '--team', 'nowhere'], {}, /^The team does not exist\./],
    ] as const) {
      const { code, output } = await start(command, args, env).ended;
      expect([code, output]).toEqual([1, expect.stringMatching(reason)]);
    }
    writeFileSync(join(folder, 'large.yaml'), Buffer.alloc(1024 * 1024 + 1, '#'));
    expect((await run('plan', ['large.yaml'])).output).toContain('it has more than 1048576 bytes');
    writeFileSync(join(folder, 'latin1.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9]));
    expect((await run('plan', ['latin1.yaml'])).output).toContain('latin1.yaml cannot be read');
  }, 60_000);
});
