import { LAYOUTS } from './import/generate.js';
import { readDump, SourceDatabase } from './import/source-database.mjs';
import { ImportTarget } from './import/target.js';
import { world } from './import/traps/trap.js';
import { ApiClient } from './support/api-client.mjs';
import { findFreePort } from './support/server-process.mjs';
import { ADMIN_PASSWORD } from './support/test-server.js';

const [, , , LAYOUT] = LAYOUTS;

describe('the command that imports a database of Mattermost', () => {
  let source: SourceDatabase;
  let target: ImportTarget;

  beforeEach(async () => {
    source = await SourceDatabase.open();
    target = await ImportTarget.open({ isHere: true });
  });
  afterEach(async () => {
    await target.close();
    await source.close();
  });

  /** One sentence, without a stack and without the password. */
  async function refuses(url: string, reason: RegExp, ...flags: string[]): Promise<void> {
    const { code, stdout, stderr } = await target.run(['mattermost', url, ...flags]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toMatch(/\n {4}at |SELECT /);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  const elsewhere = (change: object): string => Object.assign(new URL(source.url), change).href;
  const build = (layout: object = LAYOUT!) =>
    source.build({ ...LAYOUT!, ...layout }, [...world('', LAYOUT!)]);

  it('refuses a server that does not answer', async () => {
    await refuses(elsewhere({ port: String(await findFreePort()) }), /nothing listens|cannot be read/);
  });

  it('refuses a wrong password, and a database that does not exist', async () => {
    await refuses(elsewhere({ password: 'wrong' }), /rejects the user and password/);
    await refuses(elsewhere({ pathname: '/no_such_database' }), /cannot be read/);
  });

  it.each(['postgres://user:password@127.0.0.1/mattermost', 'mysql://127.0.0.1/', 'mattermost', ''])(
    'refuses the address %p',
    (url) => refuses(url, /mysql:\/\/user:password@host/),
  );

  it('refuses an empty database', async () => {
    await refuses(source.url, /not a complete Mattermost database/);
  });

  it('refuses the database of another program', async () => {
    await source.load(
      'CREATE TABLE users (id int PRIMARY KEY, name text); CREATE TABLE posts (id int PRIMARY KEY)',
    );
    await refuses(source.url, /not a complete Mattermost database/);
  });

  it('refuses a database of another program whose tables have the same names', async () => {
    for (const table of ['Users', 'Teams', 'TeamMembers', 'Channels', 'ChannelMembers', 'Posts'])
      await source.load(`CREATE TABLE ${table} (number int PRIMARY KEY)`);
    await refuses(source.url, /cannot be imported|not a complete/);
  });

  it.each(['Posts.UpdateAt', 'Channels.Id', 'TeamMembers.UserId', 'Posts.ChannelId', 'Users.Username'])(
    'refuses a half-migrated database without the column %s',
    async (column) => {
      const [table, name] = column.split('.');
      await build({ keyless: table });
      await source.load(`ALTER TABLE ${table} DROP COLUMN ${name}`);
      await refuses(source.url, new RegExp(`${table} has no column ${name}`));
      expect(await target.hasTables()).toBe(false);
    },
  );

  it('refuses a database of which it may read only a part', async () => {
    await build();
    const reader = new URL(source.url).username;
    await source.load(
      `REVOKE SELECT ON ${source.name}.* FROM '${reader}'@'%'; GRANT SELECT ON ${source.name}.Users TO '${reader}'@'%'`,
    );
    await refuses(source.url, /cannot be read|not a complete|may not/);
  });

  it('refuses unknown options and a second address', async () => {
    for (const flags of [['--no-such'], [source.url]]) {
      const { code, stderr } = await target.run(['mattermost', source.url, ...flags]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('Usage: hookline import mattermost')]);
    }
    const { code, stderr } = await target.run(['no-such-server', source.url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('hookline import')]);
  });

  it('refuses a server that runs, and one that has contents, unless it may merge', async () => {
    await build();
    const server = await target.start({ ADMIN_PASSWORD });
    await refuses(source.url, /./);
    await server.stop();
    await refuses(source.url, /--merge/);
    expect(await target.count('users', "username = 'ann'")).toBe(0);
    expect((await target.import(source.url, '--merge')).verified).toBe(true);
    const merged = await target.start();
    const admin = await new ApiClient(merged.url).login('admin', ADMIN_PASSWORD);
    expect((await admin!.get('/users/username/ann')).status).toBe(200);
    expect((await admin!.get('/teams/name/main')).status).toBe(200);
    await merged.stop();
  });

  it('refuses to merge what exists on both servers, and lists it', async () => {
    await build();
    await source.load(
      "UPDATE Users SET Username = 'Admin' WHERE Username = 'ann'; UPDATE Teams SET Name = 'main' WHERE Name = 'team'",
    );
    const server = await target.start({ ADMIN_PASSWORD });
    await server.stop();
    const before = await target.contents('users');
    const { code, stdout, stderr } = await target.run(['mattermost', source.url, '--merge']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/admin[^]*main|main[^]*admin/i);
    expect(await target.contents('users')).toEqual(before);
    expect(await target.count('posts')).toBe(await target.count('posts', "user_id <> ''"));
  });

  it('shows the report as text too', async () => {
    await source.load(readDump());
    const dry = await target.run(['mattermost', source.url, '--dry-run']);
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringMatching(/Posts +\d+ of \d+ imported[^]*Nothing was written/),
    ]);
    const { code, stdout } = await target.run(['mattermost', source.url]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Verified: [\d,]+ rows/)]);
    expect(stdout).not.toContain('$2a$');
  });
});
