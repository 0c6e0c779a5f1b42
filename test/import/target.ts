import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { programFile } from '../../scripts/bundle.mjs';
import { run as runImport } from '../../src/startup/import.js';
import { runHere } from '../support/run-here.js';
import { handIn } from '../support/secret-scan.mjs';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { ServerProcess } from '../support/server-process.mjs';
import { learnSecret } from '../support/secrets.mjs';

interface Finding {
  readonly count: number;
  readonly examples: readonly string[];
}

export interface Report {
  readonly dry_run: boolean;
  readonly verified: boolean;
  readonly tables: readonly {
    readonly table: string;
    readonly read: number;
    readonly moved: number;
    readonly left: number;
    readonly reasons: readonly Finding[];
  }[];
  readonly not_moved: readonly (Finding & { readonly kind: string })[];
  readonly warnings: readonly (Finding & { readonly kind: string })[];
  readonly checks: readonly {
    readonly table: string;
    readonly expected: number;
    readonly found: number;
    readonly sampled: number;
    readonly differences: readonly unknown[];
  }[];
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of a run with `--json`, if it printed one. */
  readonly report: Report | undefined;
}

/** Columns that hold other values after each import of the same rows. */
const VARYING = /^(sealed_|seq$|last_seq$)/;

/** The generated password in a URL; others are words of messages. */
const passwordIn = (url: string): string | undefined => /:(\w{26})@/.exec(url)?.[1];

/** An installation without a running server, into which a database is imported. */
export class ImportTarget {
  private constructor(
    readonly database: TestDatabase,
    private readonly isHere: boolean,
  ) {}

  /** With `isHere`, the command runs in this process. */
  static async open({ isHere = false } = {}): Promise<ImportTarget> {
    return new ImportTarget(await createTestDatabase(), isHere);
  }

  /** Runs the command to its end, or kills it after `killAfterMs`. */
  async run(args: readonly string[], { killAfterMs = 0, env = {} } = {}): Promise<Outcome> {
    for (const arg of args) if (URL.canParse(arg)) learnSecret('password of a reader', passwordIn(arg));
    const { code, stdout, stderr } = this.isHere
      ? await runHere(runImport, { args, env: { ...this.database.env, ...env } })
      : await this.runApart(args, killAfterMs, env);
    handIn('the output of an import', [stdout, stderr].join('\n').split('\n'));
    const report = stdout.startsWith('{') ? (JSON.parse(stdout) as Report) : undefined;
    return { code, stdout, stderr, report };
  }

  private async runApart(args: readonly string[], killAfterMs: number, env: object) {
    const child = spawn(process.execPath, [programFile('import'), ...args], {
      cwd: this.database.dataDir,
      env: { PATH: process.env['PATH'], ...this.database.env, ...env },
    });
    const timer = killAfterMs > 0 ? setTimeout(() => child.kill('SIGKILL'), killAfterMs) : undefined;
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    clearTimeout(timer);
    return { code, ...output };
  }

  /** Imports a Mattermost database; the run must succeed. */
  async import(url: string, ...flags: readonly string[]): Promise<Report> {
    const { code, stderr, stdout, report } = await this.run(['mattermost', url, '--json', ...flags]);
    if (code !== 0 || !report)
      throw new Error(`The import ended with ${code}:\n${stderr}\n${stdout.slice(0, 20_000)}`);
    return report;
  }

  /** A server on the imported database. */
  start(env: Record<string, string> = {}): Promise<ServerProcess> {
    return ServerProcess.start({ ...this.database.env, ALLOWED_INTERNAL_HOSTS: '127.0.0.1', ...env });
  }

  /** Whether the tables of a server exist. */
  async hasTables(): Promise<boolean> {
    if (!this.database.databaseUrl) return existsSync(this.file);
    return (await this.rows('SHOW TABLES')).length > 0;
  }

  async rows(sql: string, parameters: readonly (string | number)[] = []): Promise<Record<string, unknown>[]> {
    if (this.database.databaseUrl) {
      const connection = await createConnection({ uri: this.database.databaseUrl, supportBigNumbers: true });
      try {
        const [rows] = await connection.query(sql, [...parameters]);
        return rows as Record<string, unknown>[];
      } finally {
        await connection.end();
      }
    }
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const database = new DatabaseSync(this.file);
    try {
      return database.prepare(sql).all(...parameters) as Record<string, unknown>[];
    } finally {
      database.close();
    }
  }

  async count(table: string, condition = '1 = 1'): Promise<number> {
    const [row] = await this.rows(`SELECT COUNT(*) AS count FROM ${table} WHERE ${condition}`);
    return Number(row?.['count']);
  }

  /** All rows of a table by `key`, without the columns that vary. */
  async contents(table: string, key = 'id'): Promise<unknown[]> {
    const rows = await this.rows(`SELECT * FROM ${table} ORDER BY ${key}`);
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !VARYING.test(name))));
  }

  async close(): Promise<void> {
    await this.database.drop();
  }

  private get file(): string {
    return join(this.database.dataDir, 'hookline.db');
  }
}
