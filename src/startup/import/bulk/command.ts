import { parseArgs } from 'node:util';
import { RolesService } from '../../../messaging/permissions/roles.service.js';
import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import type { AllSettings } from '../../../platform/config/all-settings.js';
import { fileArgument, requireFile, say } from '../../command.js';
import { withStoppedServer } from '../../stopped-server.js';
import { Findings } from '../findings.js';
import { ImportModule, STOP_HINT } from '../import.module.js';
import { ProgressLine } from '../progress-line.js';
import { type Check, type ImportReport, isMet, reportText } from '../report.js';
import type { Target, TargetTable } from '../target-rows.js';
import { ImportTarget, keyOf } from '../target.repository.js';
import { BulkContents } from './contents.js';
import { exportLines } from './lines.js';
import type { Existing, ImportedRow } from './values.js';

const USAGE = 'Usage: hookline import bulk FILE.zip|FILE.jsonl [--dry-run] [--json]';
const ROWS_AT_ONCE = 500;

const KEYS: Partial<Record<Target, readonly string[]>> = {
  TeamMember: ['teamId', 'userId'],
  ChannelMember: ['channelId', 'userId'],
};

const tableOf = (to: Target): TargetTable => ({ to, keyHere: KEYS[to] ?? ['id'] });

/** Nothing exists here, for a dry run. */
const NOTHING: Existing = {
  user: () => Promise.resolve(undefined),
  team: () => Promise.resolve(undefined),
  channel: () => Promise.resolve(undefined),
};

/** `hookline import bulk`: the vendor's bulk export. What has the same name here is used. Exits with 1 if rows are missing. */
export async function importBulk(all: AllSettings, args: readonly string[]): Promise<void> {
  const { file, isDryRun, isJson } = optionsOf(args);
  requireFile(file);
  const report = isDryRun
    ? await importFile(file, undefined)
    : await withStoppedServer(all, ImportModule, STOP_HINT, async (app) => {
        await app.get(RolesService).ensureDefaults();
        return importFile(file, app.get(ImportTarget));
      });
  say(isJson ? JSON.stringify(report, null, 2) : reportText(report));
  if (!report.verified && !report.dry_run) process.exitCode = 1;
}

function optionsOf(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { 'dry-run': flag, json: flag };
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const file = fileArgument(positionals, 'import bulk');
    return { file, isDryRun: values['dry-run'], isJson: values.json };
  } catch (error) {
    throw new CommandRefused(`${(error as Error).message}\n${USAGE}`);
  }
}

async function importFile(file: string, target: ImportTarget | undefined): Promise<ImportReport> {
  const notes = { left: new Findings(), notMoved: new Findings(), warnings: new Findings() };
  const contents = new BulkContents(target ? existingIn(target) : NOTHING, notes, Date.now());
  const counts = new Map<Target, Check>();
  const line = new ProgressLine(process.stderr);
  const channels = new Set<string>();
  let waiting: ImportedRow[] = [];
  const store = async (): Promise<void> => {
    for (const [to, rows] of byTable(waiting)) {
      const { expected = 0, found = 0 } = counts.get(to) ?? {};
      const stored = target ? await storeNew(target, tableOf(to), rows) : rows.length;
      counts.set(to, {
        table: to,
        expected: expected + rows.length,
        found: found + stored,
        sampled: 0,
        differences: [],
      });
      if (to === 'Post') for (const row of rows) channels.add(String(row['channelId']));
    }
    waiting = [];
  };
  line.begin('lines', 0);
  for await (const some of exportLines(file)) {
    waiting.push(...(await contents.rows(some)));
    if (waiting.length >= ROWS_AT_ONCE) await store();
    line.show('lines', some.number);
  }
  await store();
  await target?.recount([...channels]);
  const checks = [...counts.values()];
  return {
    source: file,
    version: '',
    dry_run: target === undefined,
    verified: checks.every(isMet),
    tables: checks.map(({ table, expected }) => ({
      table,
      read: expected,
      moved: expected,
      left: 0,
      reasons: [],
    })),
    not_moved: [...notes.notMoved.list, ...notes.left.list],
    warnings: notes.warnings.list,
    checks: target ? checks : [],
  };
}

function byTable(rows: readonly ImportedRow[]): Map<Target, Record<string, unknown>[]> {
  const tables = new Map<Target, Record<string, unknown>[]>();
  for (const { to, row } of rows) tables.set(to, [...(tables.get(to) ?? []), row as never]);
  return tables;
}

/** Stores the rows that do not exist yet. Returns how many of them exist then. */
async function storeNew(target: ImportTarget, table: TargetTable, rows: readonly Record<string, unknown>[]) {
  const unique = new Map(rows.map((row) => [keyOf(table, row).join(' '), row]));
  const keys = [...unique.values()].map((row) => keyOf(table, row));
  const existing = await target.existing(table, keys);
  const inserted = [...unique].filter(([key]) => !existing.has(key)).map(([, row]) => row);
  await target.write(table, { inserted, updated: [] });
  const stored = await target.existing(table, keys);
  return rows.filter((row) => stored.has(keyOf(table, row).join(' '))).length;
}

function existingIn(target: ImportTarget): Existing {
  const find = async (to: Target, where: Record<string, string>): Promise<string | undefined> => {
    const row = await target.findOne(to, where);
    return row && String(row['id']);
  };
  return {
    user: (username) => find('User', { username }),
    team: (name) => find('Team', { name }),
    channel: (teamId, name) => find('Channel', { teamId, name }),
  };
}
