import { learnSecret } from './support/secrets.mjs';
import { generate, LAYOUTS, trapsOf } from './import/generate.js';
import type { SourceDatabase } from './import/source-database.mjs';
import { type Report, ImportTarget } from './import/target.js';
import { unmovedRows } from './import/traps/hooks.js';
import { PASSWORD, type Trap } from './import/traps/trap.js';

/** Where the rows of a table are here, and the columns of their key. */
const PLACES: Readonly<Record<string, readonly [table: string, key: Readonly<Record<string, string>>]>> = {
  Users: ['users', { Id: 'id' }],
  Bots: ['users', { UserId: 'id' }],
  Teams: ['teams', { Id: 'id' }],
  TeamMembers: ['team_members', { TeamId: 'team_id', UserId: 'user_id' }],
  Channels: ['channels', { Id: 'id' }],
  ChannelMembers: ['channel_members', { ChannelId: 'channel_id', UserId: 'user_id' }],
  Posts: ['posts', { Id: 'id' }],
  PostsPriority: ['posts', { PostId: 'id' }],
  IncomingWebhooks: ['incoming_webhooks', { Id: 'id' }],
  OutgoingWebhooks: ['outgoing_webhooks', { Id: 'id' }],
  UserAccessTokens: ['user_access_tokens', { Id: 'id' }],
  Sessions: ['sessions', { Id: 'id' }],
  RemoteClusters: ['remote_clusters', { RemoteId: 'remote_id' }],
  SharedChannels: ['shared_channels', { ChannelId: 'channel_id' }],
  SharedChannelRemotes: ['shared_channel_remotes', { Id: 'id' }],
  Preferences: ['preferences', { UserId: 'user_id', Category: 'category', Name: 'name' }],
  Roles: ['roles', { Name: 'name' }],
};

/** docs/moving.md */
describe.each(LAYOUTS)('the import of a database of $name', (layout) => {
  const traps = trapsOf(layout);
  let source: SourceDatabase;
  let target: ImportTarget;
  let before: unknown;
  let report: Report;
  let code: number | null;

  beforeAll(async () => {
    learnSecret('password', PASSWORD);
    for (const { row } of traps) learnSecret('token', (row[1]['Token'] ?? undefined) as string | undefined);
    source = await generate(layout);
    target = await ImportTarget.open();
    before = await source.checksums();
    const outcome = await target.run(['mattermost', source.url, '--json', '--sessions']);
    if (!outcome.report) throw new Error(`The import ended with ${outcome.code}: ${outcome.stderr}`);
    [code, report] = [outcome.code, outcome.report];
  }, 120_000);
  afterAll(async () => {
    await target?.close();
    await source?.close();
  });

  const said = (): string => JSON.stringify([report.tables, report.not_moved, report.warnings]);

  async function found({ row: [table, values] }: Trap): Promise<Record<string, unknown> | undefined> {
    const [place, key] = PLACES[table]!;
    const columns = Object.entries(key);
    const condition = columns.map(([, column]) => `${column} = ?`).join(' AND ');
    const parameters = columns.map(([name]) => (values[name] ?? '') as string);
    return (await target.rows(`SELECT * FROM ${place} WHERE ${condition}`, parameters))[0];
  }

  it.each(traps)('brings over $name', async (trap) => {
    const {
      row: [table, values],
      is,
      as = {},
      told,
    } = trap;
    const here = await found(trap);
    if (is === 'moved') expect(here).toBeDefined();
    if (is === 'left') expect(here).toBeUndefined();
    if (!here) expect(leftOf(report, table, values)).toBe(true);
    else for (const [column, expected] of Object.entries(as)) expectValue(here, column, expected);
    if (told) expect(said()).toMatch(told);
  });

  it.each(unmovedRows)('counts rows that have no place here: %s', async (kind, [table]) => {
    if (!(await source.has(table))) return;
    const counted = report.not_moved.filter((finding) => kind.test(finding.kind));
    expect(counted.length).toBeGreaterThan(0);
    for (const { count, examples } of counted) {
      expect(count).toBeGreaterThan(0);
      expect(examples.length).toBeLessThanOrEqual(10);
    }
  });

  it('counts every row of every table, and verifies all', async () => {
    expect([code, report]).toMatchObject([0, { dry_run: false, verified: true }]);
    for (const { table, read, moved, left, reasons } of report.tables) {
      expect([table, read]).toEqual([table, (await source.has(table)) ? await source.count(table) : 0]);
      expect([table, moved + left]).toEqual([table, read]);
      expect([table, reasons.reduce((sum, { count }) => sum + count, 0)]).toEqual([table, left]);
      for (const { examples } of reasons) expect(examples.length).toBeLessThanOrEqual(10);
    }
    for (const { expected, found: here, differences } of report.checks)
      expect([here, differences]).toEqual([expected, []]);
  });

  it('stores only values that a server can read', async () => {
    for (const table of ['users', 'posts', 'channel_members', 'outgoing_webhooks']) {
      const rows = await target.rows(`SELECT * FROM ${table}`);
      for (const row of rows)
        for (const name of [
          'props',
          'notify_props',
          'timezone',
          'metadata',
          'trigger_words',
          'callback_urls',
        ])
          if (name in row) expect(() => JSON.parse(String(row[name]))).not.toThrow();
    }
    for (const table of ['users', 'posts', 'channels', 'teams', 'incoming_webhooks', 'outgoing_webhooks'])
      for (const column of ['create_at', 'update_at', 'delete_at'])
        expect(await target.count(table, `${column} < 0 OR ${column} > ${Number.MAX_SAFE_INTEGER}`)).toBe(0);
    const [seqs] = await target.rows('SELECT COUNT(*) AS n, COUNT(DISTINCT seq) AS d FROM posts');
    expect(seqs!['d']).toEqual(seqs!['n']);
    expect(await target.count('posts', "root_id <> '' AND root_id NOT IN (SELECT id FROM posts)")).toBe(0);
    expect(await target.count('posts', 'channel_id NOT IN (SELECT id FROM channels)')).toBe(0);
  });

  it('changes nothing there', async () => {
    expect(await source.checksums()).toEqual(before);
  });

  it('finds nothing new in a second run', async () => {
    const tables = ['users', 'channels', 'posts', 'incoming_webhooks', 'outgoing_webhooks'];
    const contents = () => Promise.all(tables.map((table) => target.contents(table)));
    const first = await contents();
    const second = await target.import(source.url, '--sessions');
    expect(second.verified).toBe(true);
    expect(await contents()).toEqual(first);
  });

  it('is a database that a server serves', async () => {
    const server = await target.start();
    try {
      const { admin } = await signIn(server.url);
      for (const path of [
        '/users?per_page=200',
        '/hooks/incoming?per_page=200',
        '/hooks/outgoing?per_page=200',
        '/teams',
      ])
        expect((await admin.get(path)).status).toBe(200);
      const { body: channels } = await admin.get('/users/me/channels');
      for (const { id } of channels)
        expect((await admin.get(`/channels/${id}/posts?per_page=200`)).status).toBe(200);
      expect(server.errors).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

async function signIn(url: string) {
  const { ApiClient } = await import('./support/api-client.mjs');
  const admin = await new ApiClient(url).login('owner', PASSWORD);
  if (!admin) throw new Error('The login of the imported administrator is refused.');
  return { admin };
}

/** Whether the report names a row as left out by its id or name, or has too many such rows to name each. */
function leftOf(
  { tables, not_moved, warnings }: Report,
  table: string,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.entries(values)
    .filter(([column, value]) => /Id$|Name$|name$/.test(column) && typeof value === 'string' && value !== '')
    .map(([, value]) => value as string);
  const reasons = tables.find((other) => other.table === table)?.reasons ?? [];
  return [...reasons, ...not_moved, ...warnings].some(
    ({ count, examples }) =>
      count > examples.length ||
      examples.some((text) => text.includes('(no name)') || names.some((name) => text.includes(name))),
  );
}

/** Both databases: numbers may be texts, and JSON is text. */
function expectValue(row: Record<string, unknown>, column: string, expected: unknown): void {
  const stored = row[column];
  const value =
    typeof expected === 'number'
      ? Number(stored)
      : typeof expected === 'object' && typeof stored === 'string' && /^[[{]/.test(stored)
        ? JSON.parse(stored)
        : stored;
  if (typeof expected === 'function')
    expect([column, (expected as (value: unknown) => boolean)(value)]).toEqual([column, true]);
  else expect([column, value]).toEqual([column, expected]);
}
