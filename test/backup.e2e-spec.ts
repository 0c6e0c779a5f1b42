import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '../scripts/bundle.mjs';
import { onlyWhere } from './support/only-where.js';
import { ApiClient } from './support/api-client.mjs';
import { ServerProcess } from './support/server-process.mjs';
import { Site } from './support/site.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { ADMIN_PASSWORD, eventually } from './support/test-server.js';

const SENDERS = 8;
const POSTS_BEFORE = 300;

const onSqlite = onlyWhere(!isMysql, 'the programs of the database server create dumps');
const onMysql = onlyWhere(isMysql, 'the embedded database needs no other program');

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const withDumper = onlyWhere(
  isMysql && ['mariadb-dump', 'mysqldump'].some(isInstalled) && ['mariadb', 'mysql'].some(isInstalled),
  'it needs a MySQL-compatible server and mariadb-dump or mysqldump',
);

/** Runs `npm run backup` or `npm run restore`. */
async function run(command: 'backup' | 'restore', { env, dataDir }: TestDatabase, file: string, path = '') {
  const child = spawn(process.execPath, [programFile(command), file], {
    cwd: dataDir,
    env: { PATH: `${path}:${process.env['PATH']}`, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

describe('a backup', () => {
  let site: Site;
  let folder: string;
  let copy: TestDatabase;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-backup-'));
    copy = await createTestDatabase();
    site = await Site.open('backup');
  }, 60_000);
  afterAll(async () => {
    await site.close();
    await copy.drop();
    rmSync(folder, { recursive: true });
  });

  /** The texts of all posts of a server, and the number of its outgoing webhooks whose secrets can be decrypted. */
  async function contentsOf(url: string): Promise<{ texts: string[]; readable: number }> {
    const login = await new ApiClient(url).login('admin', ADMIN_PASSWORD);
    if (!login) throw new Error('The login of admin is refused.');
    const { body: channel } = await login.get(`/teams/${site.team.id}/channels/name/town-square`);
    const texts: string[] = [];
    for (let page = 0, isLast = false; !isLast; page++) {
      const { body } = await login.get(`/channels/${channel.id}/posts?per_page=200&page=${page}`);
      texts.push(...body.order.map((id: string) => body.posts[id].message));
      isLast = body.order.length < 200;
    }
    const { body: hooks } = await login.get('/hooks/outgoing');
    return { texts, readable: hooks.filter((hook: any) => !hook.secrets_unreadable).length };
  }

  /**
   * Runs `backUp` while posts are created; returns those acknowledged before it, and the number acknowledged during it.
   */
  async function underLoad<T>(
    backUp: () => Promise<T>,
  ): Promise<{ before: string[]; during: number; made: T }> {
    const { body: hooks } = await site.admin.get('/hooks/incoming');
    await site.admin.post('/hooks/outgoing', {
      team_id: site.team.id,
      display_name: 'Deployer',
      trigger_words: ['deploy'],
      callback_urls: ['http://127.0.0.1:9/'],
    });
    const acknowledged: string[] = [];
    let isOver = false;
    const send = async (sender: number): Promise<void> => {
      for (let number = 0; !isOver; number++) {
        const text = `${sender}/${number}`;
        const { status } = await new ApiClient(site.url).send('POST', `/hooks/${hooks[0].id}`, { text });
        if (status === 200) acknowledged.push(text);
      }
    };
    const senders = Array.from({ length: SENDERS }, (_, sender) => send(sender));
    await eventually(() => acknowledged.length >= POSTS_BEFORE, 60_000);
    const before = [...acknowledged];
    const made = await backUp();
    const during = acknowledged.length - before.length;
    isOver = true;
    await Promise.all(senders);
    return { before, during, made };
  }

  onSqlite.it(
    'contains every post that was acknowledged before it started, and can be decrypted with its key',
    async () => {
      const file = join(folder, 'backup.db');
      const { before, during, made } = await underLoad(() => run('backup', site.database, file));
      expect(made.code).toBe(0);
      expect(made.output).toContain(`The backup is ${file}`);
      expect(made.output).toMatch(/It requires the key [0-9a-f]{8}: .*secret\.key\.\n/);
      expect(during).toBeGreaterThan(0);
      expect(readdirSync(folder)).toEqual(['backup.db']);

      expect(await run('backup', site.database, file)).toMatchObject({
        code: 1,
        output: `${file} already exists; a backup does not overwrite files.\n`,
      });
      expect(await run('restore', site.database, file)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^Another Hookline process is already using .*\n$/),
      });

      const without = await run('restore', copy, file);
      expect([without.code, without.output]).toEqual([
        0,
        expect.stringMatching(/, but there is no .*secret\.key\./),
      ]);
      await expect(ServerProcess.start(copy.env)).rejects.toThrow(/was encrypted with the key/);
      copyFileSync(join(site.database.dataDir, 'secret.key'), join(copy.dataDir, 'secret.key'));
      const again = await run('restore', copy, file);
      expect(again.output).toMatch(/The previous data is kept in .*hookline\.db\.before-\d{14}\n/);
      const server = await ServerProcess.start(copy.env);
      const restored = await contentsOf(server.url);
      await server.stop();
      expect(before.filter((text) => !restored.texts.includes(text))).toEqual([]);
      expect(restored.readable).toBe(1);
    },
    120_000,
  );

  onSqlite.it('is refused if it is not a complete Hookline database', async () => {
    const file = join(folder, 'text.db');
    writeFileSync(file, 'no database'.repeat(100));
    expect(await run('restore', copy, file)).toEqual({
      code: 1,
      output: `${file} is damaged or not a database: SQLITE_NOTADB.\n`,
    });
    for (const missing of [join(folder, 'missing.db'), folder])
      expect(await run('restore', copy, missing)).toEqual({
        code: 1,
        output: `The file ${missing} does not exist.\n`,
      });
    expect(existsSync(join(copy.dataDir, 'hookline.db'))).toBe(true);
    expect((await run('backup', site.database, join(folder, 'no', 'folder.db'))).output).toMatch(
      /^The folder .* cannot be written: ENOENT\.\n$/,
    );
  });

  withDumper.it(
    'contains every post that was acknowledged before it started, with the real dump programs',
    async () => {
      const file = join(folder, 'real.sql');
      const { before, during, made } = await underLoad(() => run('backup', site.database, file));
      expect([made.code, made.output]).toEqual([
        0,
        expect.stringMatching(/It requires the key [0-9a-f]{8}: /),
      ]);
      expect(during).toBeGreaterThan(0);
      const target = await createTestDatabase();
      copyFileSync(join(site.database.dataDir, 'secret.key'), join(target.dataDir, 'secret.key'));
      expect((await run('restore', target, file)).output).toMatch(
        /is restored\.\nIt requires the key [0-9a-f]{8}: .*secret\.key\.\n$/,
      );
      const server = await ServerProcess.start(target.env);
      const restored = await contentsOf(server.url);
      await server.stop();
      await target.drop();
      expect(before.filter((text) => !restored.texts.includes(text))).toEqual([]);
      expect(restored.readable).toBe(1);
    },
    120_000,
  );

  onMysql.it('is a dump by the tools of the server, and does not expose its password', async () => {
    const { username, password } = new URL(site.database.databaseUrl!);
    const script = (name: string, text: string): void =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o700 });
    script('mariadb-dump', 'echo "$@"; echo "$MYSQL_PWD" | wc -c; echo "-- Dump completed on a day"');
    script('mariadb', `cat > ${join(folder, 'restored')}`);
    const file = join(folder, 'backup.sql');
    const other = join(folder, 'other');
    writeFileSync(other, 'kept');
    symlinkSync(other, `${file}.part`); // not written through
    const made = await run('backup', site.database, file, folder);
    expect(readFileSync(other, 'utf8')).toBe('kept');
    expect([made.code, made.output]).toEqual([0, expect.stringMatching(/It requires the key [0-9a-f]{8}: /)]);
    const [args, length] = readFileSync(file, 'utf8').split('\n');
    expect(args).toContain(`--user=${username} --default-character-set=utf8mb4 --single-transaction `);
    expect(args).not.toContain(password);
    expect(Number(length)).toBe(password.length + 1);
    expect((await run('restore', site.database, file, folder)).output).toMatch(/^Another Hookline process/);
    const cut = join(folder, 'cut.sql');
    for (const text of ['', `${args}\n${length}\n`]) {
      writeFileSync(cut, text);
      expect(await run('restore', copy, cut, folder)).toEqual({
        code: 1,
        output: `${cut} is not a complete dump: it does not end with "-- Dump completed".\n`,
      });
    }
    expect(existsSync(join(folder, 'restored'))).toBe(false);
    expect((await run('restore', copy, file, folder)).code).toBe(0);
    expect(readFileSync(join(folder, 'restored'), 'utf8')).toBe(readFileSync(file, 'utf8'));
    await site.stop();
    expect((await run('restore', site.database, file, folder)).output).toMatch(/is not empty\. Create a new/);
  });
});
