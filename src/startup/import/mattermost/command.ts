import { parseArgs } from 'node:util';
import { RolesService } from '../../../messaging/permissions/roles.service.js';
import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import { Sequence } from '../../../platform/common/sequence.js';
import type { AllSettings } from '../../../platform/config/all-settings.js';
import { say } from '../../command.js';
import { withStoppedServer } from '../../stopped-server.js';
import { Findings } from '../findings.js';
import type { Import } from '../import.entity.js';
import { ImportModule, STOP_HINT } from '../import.module.js';
import { type Check, type ImportReport, isMet, reportText, type TableReport } from '../report.js';
import { preferencesTable, sessionsTable, tokensTable, usersTable } from './accounts.tables.js';
import { again, requireKeys, START } from './batches.js';
import { channelMembersTable, channelsTable, teamMembersTable, teamsTable } from './channels.tables.js';
import { conflicts } from './conflicts.js';
import { clustersTable, readConnections, sharedChannelsTable, sharesTable } from './connections.tables.js';
import { incomingTable, outgoingTable } from './hooks.tables.js';
import { Importer } from './importer.js';
import { leftovers } from './leftovers.js';
import { postsTable } from './posts.table.js';
import { ProgressLine } from '../progress-line.js';
import { importBuiltInRoles, rolesTable, withBuiltIn } from './roles.js';
import { MattermostDatabase } from './source.js';
import type { TableImport, World } from './table-import.js';
import { ImportTarget } from '../target.repository.js';

const USAGE =
  'Usage: hookline import mattermost mysql://USER:PASSWORD@HOST/DATABASE [--dry-run] [--sessions] [--merge] [--json]';

interface Options {
  readonly url: string;
  readonly isDryRun: boolean;
  readonly withSessions: boolean;
  readonly mayMerge: boolean;
  readonly isJson: boolean;
}

/** `hookline import mattermost`. Exits with 1 if the verification fails. */
export async function importMattermost(all: AllSettings, args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  const source = await MattermostDatabase.open(options.url);
  try {
    const tables = tablesOf(options);
    requireKeys(source, tables);
    const report = options.isDryRun
      ? await dryRun(source, tables)
      : await withStoppedServer(all, ImportModule, STOP_HINT, (app) =>
          importInto(source, tables, app.get(ImportTarget), app.get(RolesService), options),
        );
    say(options.isJson ? JSON.stringify(report, null, 2) : reportText(report));
    if (!report.verified && !report.dry_run) process.exitCode = 1;
  } finally {
    await source.close();
  }
}

function optionsOf(args: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'dry-run': flag, sessions: flag, merge: flag, json: flag, since: flag },
    });
    const [url, ...more] = positionals;
    if (url === undefined || more.length > 0) throw new Error('Name one database.');
    const { 'dry-run': isDryRun, sessions: withSessions, merge: mayMerge, json: isJson } = values;
    return { url, isDryRun, withSessions, mayMerge, isJson };
  } catch (error) {
    throw new CommandRefused(`${(error as Error).message}\n${USAGE}`);
  }
}

/** In the order in which they depend on each other. */
function tablesOf({ withSessions }: Options): TableImport[] {
  return [
    ...[rolesTable, usersTable, teamsTable, teamMembersTable, channelsTable, channelMembersTable],
    ...[preferencesTable, tokensTable, ...(withSessions ? [sessionsTable] : [])],
    postsTable(new Sequence()),
    ...[incomingTable, outgoingTable, clustersTable, sharedChannelsTable, sharesTable],
  ] as unknown as TableImport[];
}

async function newWorld(source: MattermostDatabase): Promise<World> {
  return {
    users: new Map(),
    teams: new Set(),
    channels: new Map(),
    ...(await readConnections(source)),
    foreignChannels: new Map(),
    names: new Map(),
    notes: new Findings(),
    now: await source.now(),
  };
}

async function dryRun(source: MattermostDatabase, tables: readonly TableImport[]): Promise<ImportReport> {
  const world = await newWorld(source);
  const importer = new Importer(source, undefined, world, undefined, () => undefined);
  const reports = await importTables(source, tables, importer, world.notes);
  return reportOf(source, world, reports, undefined);
}

async function importInto(
  source: MattermostDatabase,
  tables: readonly TableImport[],
  target: ImportTarget,
  roles: RolesService,
  { mayMerge }: Options,
): Promise<ImportReport> {
  const world = await newWorld(source);
  const progress = await begin(source, tables, target, mayMerge, world.now);
  await roles.ensureDefaults();
  await importBuiltInRoles(source, roles, world.notes);
  const line = new ProgressLine(process.stderr);
  const importer = new Importer(source, target, world, progress, (table, read) => line.show(table, read));
  const reports = await importTables(source, tables, importer, world.notes, line);
  line.end();
  const checks: Check[] = [];
  for (const table of tables) checks.push(await importer.check(table));
  const report = await reportOf(source, world, reports, checks);
  const end = report.verified
    ? { finishedAt: progress.startedAt }
    : { cursorTime: START.time, cursorId: START.id };
  await target.saveImport({ ...progress, ...end });
  return report;
}

/** The progress of this import so far. Throws CommandRefused if the server has other contents, or the same ids. */
async function begin(
  source: MattermostDatabase,
  tables: readonly TableImport[],
  target: ImportTarget,
  mayMerge: boolean,
  now: number,
): Promise<Import> {
  const known = await target.findImport(source.id);
  if (!known && (await target.hasContents())) {
    if (!mayMerge)
      throw new CommandRefused(
        'This server already has accounts or teams. Import into an empty database, or add --merge.',
      );
    const found = await conflicts(source, target, tables);
    if (found.length > 0)
      throw new CommandRefused(`Nothing was imported: these exist on both servers.\n  ${found.join('\n  ')}`);
  }
  const isContinued = known !== null && known.finishedAt < known.startedAt;
  const cursor = known ? again({ time: known.cursorTime, id: known.cursorId }, known.startedAt) : START;
  const progress: Import = isContinued
    ? { ...known, cursorTime: cursor.time, cursorId: cursor.id }
    : {
        source: source.id,
        startedAt: now,
        finishedAt: known?.finishedAt ?? 0,
        cursorTime: cursor.time,
        cursorId: cursor.id,
        ...{ postsRead: 0, postsMoved: 0, leftOut: [], notes: [] },
      };
  await target.saveImport(progress);
  return progress;
}

async function importTables(
  source: MattermostDatabase,
  tables: readonly TableImport[],
  importer: Importer,
  notes: Findings,
  line?: ProgressLine,
): Promise<TableReport[]> {
  const reports: TableReport[] = [];
  for (const table of tables) {
    line?.begin(table.from, await source.count(table.from));
    for (const charset of source.otherCharsets(table.from))
      notes.add(
        'table that is not stored as UTF-8: check the special characters in it',
        `${table.from} (${charset})`,
      );
    reports.push(table.changedAt === undefined ? await importer.run(table) : await importer.runPosts(table));
  }
  return reports.map((report) => (report.table === rolesTable.from ? withBuiltIn(report) : report));
}

async function reportOf(
  source: MattermostDatabase,
  world: World,
  tables: readonly TableReport[],
  checks: readonly Check[] | undefined,
): Promise<ImportReport> {
  return {
    source: source.id,
    version: source.version,
    dry_run: checks === undefined,
    verified: checks?.every(isMet) ?? false,
    tables,
    not_moved: await leftovers(source),
    warnings: world.notes.list,
    checks: checks ?? [],
  };
}
