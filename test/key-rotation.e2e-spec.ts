import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { beginRotation } from '../src/platform/secrets/secret-key.js';
import { buildIncomingHook } from './factories/incoming-hooks.js';
import { openInvite } from './support/invites.js';
import { programFile } from '../scripts/bundle.mjs';
import { LiveClient } from './support/live-client.js';
import { inviteTo, Site } from './support/site.js';
import { eventually } from './support/test-server.js';

const HOOKS = 20;
/** Two of each outgoing webhook, one of the incoming webhook, one of the secure connection. */
const SECRETS = 2 * HOOKS + 2;
const VERIFIER = { preset: 'gitlab', secret: 'the token of the verifier' };
/** As documented in docs/operating.md. */
const STOP_WITHIN_MS = 10_000;

/** Starts the command as `npm run rotate-key` does. */
function startRotation(site: Site, env: Record<string, string> = {}, args: readonly string[] = []) {
  const child = spawn(process.execPath, [programFile('rotate-key'), ...args], {
    cwd: site.database.dataDir,
    env: { PATH: process.env['PATH'], ...site.database.env, ...site.env, ...env },
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
  return { ended, kill: () => child.kill('SIGKILL') };
}

const rotate = (site: Site, env?: Record<string, string>, ...args: string[]) =>
  startRotation(site, env, args).ended;

/** The tables with encrypted columns, in the order of a rotation: each table in a separate commit. */
const SEALED = {
  incoming_webhooks: ['sealed_verifier_secrets'],
  outgoing_webhooks: ['sealed_token', 'sealed_signing_secret'],
  remote_clusters: ['sealed_token'],
};

/** The keys with which the rows of these tables are encrypted. */
async function keyIds(
  site: Site,
  tables = Object.keys(SEALED) as (keyof typeof SEALED)[],
): Promise<string[]> {
  const selects = tables.flatMap((table) =>
    SEALED[table].map((column) => `SELECT ${column} AS sealed FROM ${table}`),
  );
  const rows = (await query(site, selects.join(' UNION ALL '))) as { sealed: string }[];
  return [...new Set(rows.map(({ sealed }) => sealed.split('.')[1] ?? ''))].filter((id) => id !== '');
}

/** From now on an update of a secure connection hangs until the returned function is called. */
async function holdConnections(site: Site): Promise<() => Promise<void>> {
  if (site.database.databaseUrl) {
    const holder = await createConnection({ uri: site.database.databaseUrl });
    await holder.query('START TRANSACTION');
    await holder.query('SELECT id FROM remote_clusters FOR UPDATE');
    return () => holder.end();
  }
  await query(
    site,
    'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
    'CREATE TRIGGER held BEFORE UPDATE ON remote_clusters BEGIN SELECT COUNT(*) FROM endless; END',
  );
  return async () => void (await query(site, 'DROP TRIGGER held', 'DROP VIEW endless'));
}

/** The rows of the last statement. */
async function query(site: Site, ...statements: readonly string[]): Promise<unknown[]> {
  let rows: unknown = [];
  if (site.database.databaseUrl) {
    const connection = await createConnection({ uri: site.database.databaseUrl });
    for (const sql of statements) [rows] = await connection.query(sql);
    await connection.end();
    return rows as unknown[];
  }
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(join(site.database.dataDir, 'hookline.db'));
  for (const sql of statements) rows = database.prepare(sql).all();
  database.close();
  return rows as unknown[];
}

/** What a site must still be able to read after its key has changed. */
async function secretsOf(site: Site) {
  const hooks = (await site.admin.get('/hooks/outgoing?per_page=200')).body as any[];
  const [cluster] = (await site.admin.get('/remotecluster')).body as any[];
  const answer = await site.admin.post(`/remotecluster/${cluster.remote_id}/generate_invite`, {
    password: 'p',
  });
  return {
    hooks: hooks.map(({ id, token, signing_secret: secret }) => `${id} ${token} ${secret}`).sort(),
    inviteToken: openInvite(answer.body, 'p').plaintext['token'],
    verified: await verifiedCall(site),
  };
}

/** The answer to a call that the verifier of the incoming webhook accepts. */
async function verifiedCall(site: Site): Promise<string> {
  const hooks = (await site.admin.get('/hooks/incoming?per_page=200')).body as any[];
  const hook = hooks.find(({ verifier }) => verifier !== null);
  const options = { headers: { 'x-gitlab-token': VERIFIER.secret } };
  return (await site.admin.post(`/hooks/${hook.id}`, { text: 'Verified.' }, options)).text;
}

async function fill(site: Site): Promise<void> {
  await inviteTo(site, 'branch');
  const { body: channel } = await site.admin.get(`/teams/${site.team.id}/channels/name/town-square`);
  await buildIncomingHook(site.admin, channel.id, { verifier: VERIFIER });
  for (let index = 0; index < HOOKS; index++) {
    const { status } = await site.admin.post('/hooks/outgoing', {
      team_id: site.team.id,
      channel_id: '',
      display_name: `Hook ${index}`,
      trigger_words: [`word${index}`],
      callback_urls: ['https://example.com/hook'],
    });
    expect(status).toBe(201);
  }
}

/** An idle server, with connections that clients keep open: it waits for none of them. */
async function stopsInTime(site: Site): Promise<void> {
  const live = await LiveClient.connect(site.url, site.admin.token);
  const startedAt = performance.now();
  await site.stop();
  expect(performance.now() - startedAt).toBeLessThanOrEqual(STOP_WITHIN_MS);
  await eventually(() => live.closed);
  expect(site.output.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
}

describe('the key of the data folder', () => {
  let site: Site;
  /** What it could read at first, and must still be able to read at the end. */
  let known: Awaited<ReturnType<typeof secretsOf>>;
  const file = (name = 'secret.key') => join(site.database.dataDir, name);
  beforeAll(async () => {
    site = await Site.open('keyed');
    await fill(site);
    known = await secretsOf(site);
    expect(known.verified).toBe('ok');
  }, 60_000);
  afterAll(() => site.close());

  it('is not changed while the server runs', async () => {
    const before = readFileSync(file(), 'utf8');
    const { code, output } = await rotate(site);
    expect([code, output]).toEqual([1, expect.stringMatching(/already using/)]);
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect(existsSync(file('secret.key.previous'))).toBe(false);
  });

  it('is replaced everywhere', async () => {
    const before = { key: readFileSync(file(), 'utf8'), ids: await keyIds(site) };
    await stopsInTime(site);
    const { code, output } = await rotate(site);
    expect([code, output]).toEqual([0, `${SECRETS} stored secrets are encrypted with the new key.\n`]);
    expect(readFileSync(file(), 'utf8')).not.toBe(before.key);
    expect(existsSync(file('secret.key.previous'))).toBe(false);
    const ids = await keyIds(site);
    expect(ids).toHaveLength(1);
    expect(ids).not.toEqual(before.ids);
  }, 60_000);

  it('is kept together with the old one until an interrupted rotation is finished', async () => {
    beginRotation(site.database.dataDir); // and nothing is encrypted again
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
    await site.stop();
    const [old] = await keyIds(site);
    const release = await holdConnections(site);
    const rotation = startRotation(site);
    await eventually(async () => (await keyIds(site, ['outgoing_webhooks']))[0] !== old, 60_000);
    rotation.kill();
    await rotation.ended;
    await release();
    const [next, ...others] = await keyIds(site, ['outgoing_webhooks']);
    expect([next === old, others, await keyIds(site, ['remote_clusters'])]).toEqual([false, [], [old]]);
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
    await site.stop();
    expect(await rotate(site)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^2 stored secrets /), // of the incoming webhook and the connection
    });
    expect(await keyIds(site)).toEqual([next]);
    expect(existsSync(file('secret.key.previous'))).toBe(false);
  }, 90_000);

  it('stays while one secret cannot be decrypted, which is named, and the others are re-encrypted', async () => {
    const hooks = (await query(
      site,
      'SELECT id, sealed_token AS sealed FROM outgoing_webhooks ORDER BY id',
    )) as { id: string; sealed: string }[];
    const [{ id, sealed }] = hooks as [(typeof hooks)[number]];
    const setToken = (text: string): Promise<unknown[]> =>
      query(site, `UPDATE outgoing_webhooks SET sealed_token = '${text}' WHERE id = '${id}'`);
    await setToken(`${sealed.slice(0, -12)}AAAAAAAAAAAA`);
    for (const resealed of [SECRETS - 1, 0]) {
      const { code, output } = await rotate(site);
      expect(code).toBe(1);
      expect(output).toContain(
        `outgoing_webhooks.sealed_token of the row ${id}: A stored secret was changed.`,
      );
      expect(output).toContain(`${resealed} stored secrets are encrypted with the new key.`);
      expect(output).toContain('1 stored secrets cannot be decrypted; the old key is kept.');
      expect(existsSync(file('secret.key.previous'))).toBe(true);
      expect(await keyIds(site)).toHaveLength(2);
    }
    await setToken(sealed);
    expect(await rotate(site)).toMatchObject({ code: 0 });
    expect(await keyIds(site)).toHaveLength(1);
    expect(existsSync(file('secret.key.previous'))).toBe(false);
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
  }, 90_000);
});

describe('a key from the environment', () => {
  let site: Site;
  const [old, next] = ['the first key of this test', 'the second key of this test'];
  beforeAll(async () => {
    site = await Site.open('environment', { SECRET_KEY: old });
    await fill(site);
  }, 60_000);
  afterAll(() => site.close());

  it('is replaced by another one, with the old one next to it', async () => {
    const known = await secretsOf(site);
    await site.stop();
    expect((await rotate(site, { SECRET_KEY: next })).output).toMatch(/was encrypted with the key/);
    Object.assign(site.env, { SECRET_KEY: next, SECRET_KEY_PREVIOUS: old });
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
    await site.stop();
    expect((await rotate(site)).code).toBe(0);
    delete site.env['SECRET_KEY_PREVIOUS'];
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
    expect(await keyIds(site)).toHaveLength(1);
    await site.stop();
    site.env['SECRET_KEY'] = old;
    await expect(site.start()).rejects.toThrow(/was encrypted with the key .* SECRET_KEY is the key/);
  }, 90_000);

  it('is abandoned only on request when it is lost, and each webhook reports it', async () => {
    site.env['SECRET_KEY'] = 'an unused key of this test';
    expect(await rotate(site)).toMatchObject({ code: 1 });
    const { code, output } = await rotate(site, {}, '--lost-key');
    expect([code, output]).toEqual([0, expect.stringContaining(`${SECRETS} stored secrets are lost`)]);
    await site.start();
    const { body: hooks } = await site.admin.get('/hooks/outgoing?per_page=200');
    expect(hooks.filter((hook: any) => hook.secrets_unreadable && hook.token === '')).toHaveLength(HOOKS);
    const { body: renewed } = await site.admin.post(`/hooks/outgoing/${hooks[0].id}/regen_token`);
    expect(renewed).toMatchObject({ secrets_unreadable: false, token: expect.stringMatching(/^\w{26}$/) });
  }, 90_000);
});
