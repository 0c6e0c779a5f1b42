import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { beginRotation } from '../src/platform/secrets/secret-key.js';
import { openInvite } from './support/invites.js';
import { programFile } from '../scripts/bundle.mjs';
import { inviteTo, Site } from './support/site.js';

const HOOKS = 20;

/** Runs the command as `npm run rotate-key` does; killed after `killAfterMs`, if that is given. */
function rotate(site: Site, env: Record<string, string> = {}, killAfterMs?: number) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [programFile('rotate-key')], {
      cwd: site.database.dataDir,
      env: { PATH: process.env['PATH'], ...site.database.env, ...site.env, ...env },
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    child.on('close', (code) => resolve({ code, output }));
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
}

/** The keys under which anything is stored. */
async function keyIds(site: Site): Promise<string[]> {
  const sql = [
    'SELECT sealed_token AS sealed FROM outgoing_webhooks',
    'SELECT sealed_signing_secret AS sealed FROM outgoing_webhooks',
    'SELECT sealed_token AS sealed FROM remote_clusters',
  ].join(' UNION ALL ');
  const rows = (await query(site, sql)) as { sealed: string }[];
  return [...new Set(rows.map(({ sealed }) => sealed.split('.')[1] ?? ''))].filter((id) => id !== '');
}

async function query(site: Site, sql: string): Promise<unknown[]> {
  if (site.database.databaseUrl) {
    const connection = await createConnection({ uri: site.database.databaseUrl });
    const [rows] = await connection.query(sql);
    await connection.end();
    return rows as unknown[];
  }
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(join(site.database.dataDir, 'hookline.db'));
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

/** What a site must still know after its key has changed. */
async function secretsOf(site: Site) {
  const hooks = (await site.admin.get('/hooks/outgoing?per_page=200')).body as any[];
  const [cluster] = (await site.admin.get('/remotecluster')).body as any[];
  const answer = await site.admin.post(`/remotecluster/${cluster.remote_id}/generate_invite`, {
    password: 'p',
  });
  return {
    hooks: hooks.map(({ id, token, signing_secret: secret }) => `${id} ${token} ${secret}`).sort(),
    inviteToken: openInvite(answer.body, 'p').plaintext['token'],
  };
}

async function fill(site: Site): Promise<void> {
  await inviteTo(site, 'branch');
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

describe('the key of the data folder', () => {
  let site: Site;
  /** What it knew at first, and must know after everything that follows. */
  let known: Awaited<ReturnType<typeof secretsOf>>;
  const file = (name = 'secret.key') => join(site.database.dataDir, name);
  beforeAll(async () => {
    site = await Site.open('keyed');
    await fill(site);
    known = await secretsOf(site);
  }, 60_000);
  afterAll(() => site.close());

  it('is not changed while the server runs', async () => {
    const before = readFileSync(file(), 'utf8');
    const { code, output } = await rotate(site);
    expect([code, output]).toEqual([1, expect.stringMatching(/already serves|in use|One process/)]);
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect(existsSync(file('secret.key.previous'))).toBe(false);
  });

  it('is replaced everywhere', async () => {
    const before = { key: readFileSync(file(), 'utf8'), ids: await keyIds(site) };
    await site.stop();
    const { code, output } = await rotate(site);
    expect([code, output]).toEqual([0, `${2 * HOOKS + 1} stored secrets are sealed under the new key.\n`]);
    expect(readFileSync(file(), 'utf8')).not.toBe(before.key);
    expect(existsSync(file('secret.key.previous'))).toBe(false);
    const ids = await keyIds(site);
    expect(ids).toHaveLength(1);
    expect(ids).not.toEqual(before.ids);
  }, 60_000);

  it('is known together with the old one until a rotation that was cut short is finished', async () => {
    beginRotation(site.database.dataDir); // and nothing is sealed afresh
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
    await site.stop();
    await rotate(site, {}, 450);
    expect((await rotate(site)).code).toBe(0);
    expect(await keyIds(site)).toHaveLength(1);
    expect(existsSync(file('secret.key.previous'))).toBe(false);
  }, 90_000);

  it('stays known while one secret cannot be opened, which is named, and the others are sealed afresh', async () => {
    const hooks = (await query(
      site,
      'SELECT id, sealed_token AS sealed FROM outgoing_webhooks ORDER BY id',
    )) as { id: string; sealed: string }[];
    const [{ id, sealed }] = hooks as [(typeof hooks)[number]];
    const setToken = (text: string): Promise<unknown[]> =>
      query(site, `UPDATE outgoing_webhooks SET sealed_token = '${text}' WHERE id = '${id}'`);
    await setToken(`${sealed.slice(0, -12)}AAAAAAAAAAAA`);
    for (const resealed of [2 * HOOKS, 0]) {
      const { code, output } = await rotate(site);
      expect(code).toBe(1);
      expect(output).toContain(
        `outgoing_webhooks.sealed_token of the row ${id}: A stored secret was changed.`,
      );
      expect(output).toContain(`${resealed} stored secrets are sealed under the new key.`);
      expect(output).toContain('1 stored secrets cannot be opened; the old key is kept.');
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

  it('is replaced by another one, with the old one beside it', async () => {
    const known = await secretsOf(site);
    await site.stop();
    expect((await rotate(site, { SECRET_KEY: next })).output).toMatch(/was sealed under the key/);
    Object.assign(site.env, { SECRET_KEY: next, SECRET_KEY_PREVIOUS: old });
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
    await site.stop();
    expect((await rotate(site)).code).toBe(0);
    delete site.env['SECRET_KEY_PREVIOUS'];
    await site.start();
    expect(await secretsOf(site)).toEqual(known);
    expect(await keyIds(site)).toHaveLength(1);
  }, 90_000);
});
