import type { DataSource, QueryRunner } from 'typeorm';

/** Any number of rows up to this one may be read. */
const FEW = 1_000;
/** Rows that may be read in addition to returned ones. */
const SPARE_READS = 5_000;
/** Rows that may be read per returned one: by an index, again as rows, and again in order. */
const READS_A_ROW = 10;

interface MysqlStep {
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly rows: number | string | null;
  readonly Extra: string | null;
}

interface SqliteStep {
  readonly parent: number;
  readonly detail: string;
}

/** A statement that was sent, with its parameters. */
export interface SentStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What is wrong with the execution of a statement: nothing, if it reads and sorts no more rows than it needs. */
export async function faultsOf(
  dataSource: DataSource,
  { sql, parameters }: SentStatement,
): Promise<string[]> {
  if (dataSource.options.type === 'mysql') {
    const faults = faultsOnMysql(await dataSource.query(`EXPLAIN ${sql}`, [...parameters]), sql);
    return [...faults, ...(await surplusReads(dataSource, { sql, parameters }))];
  }
  return faultsOnSqlite(await dataSource.query(`EXPLAIN QUERY PLAN ${sql}`), sql);
}

function faultsOnMysql(steps: readonly MysqlStep[], sql: string): string[] {
  const large = steps.filter(({ table, rows }) => table && !table.startsWith('<') && Number(rows) > FEW);
  const faults = large.flatMap(({ table, type, Extra }) => [
    ...(type === 'ALL' || type === 'index' ? [`reads all of ${table}`] : []),
    ...(isLimited(sql) && Extra?.includes('filesort') ? [`sorts ${table}`] : []),
    ...(Extra?.includes('Using temporary') ? [`copies ${table}`] : []),
  ]);
  return [...new Set(faults)];
}

/** An index of the right name may still be read from the wrong end, so read rows are counted. */
async function surplusReads(dataSource: DataSource, { sql, parameters }: SentStatement): Promise<string[]> {
  if (!/^\s*(?:SELECT|WITH|UPDATE|DELETE)\b/i.test(sql)) return [];
  const runner = dataSource.createQueryRunner();
  await runner.query('START TRANSACTION');
  try {
    const before = await readsSoFar(runner);
    const done = (await runner.query(sql, [...parameters])) as unknown as
      unknown[] | { readonly affectedRows: number };
    const rows = Array.isArray(done) ? done.length : done.affectedRows;
    const reads = (await readsSoFar(runner)) - before;
    return reads > SPARE_READS + READS_A_ROW * rows + skipped(sql, parameters)
      ? [`reads ${reads} rows for ${rows}`]
      : [];
  } finally {
    await runner.query('ROLLBACK');
    await runner.release();
  }
}

/** The entries of an index before a page. */
function skipped(sql: string, parameters: readonly unknown[]): number {
  const [, offset] = /\bOFFSET (\d+|\?)/.exec(sql) ?? [];
  return 2 * Number(offset === '?' ? parameters.at(-1) : (offset ?? 0));
}

/** The rows and index entries that a session has read. */
async function readsSoFar(runner: QueryRunner): Promise<number> {
  const counters = (await runner.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) as unknown as readonly {
    readonly Value: string;
  }[];
  return counters.reduce((sum, { Value }) => sum + Number(Value), 0);
}

function faultsOnSqlite(steps: readonly SqliteStep[], sql: string): string[] {
  const isSorted = steps.some(
    ({ detail, parent }) => detail === 'USE TEMP B-TREE FOR ORDER BY' && (parent !== 0 || isLimited(sql)),
  );
  const isGrouped = steps.some(({ detail }) => /^USE TEMP B-TREE FOR (?!ORDER BY|LAST)/.test(detail));
  const ofParts = new Set(
    steps.map(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(detail)?.[1]).filter(Boolean),
  );
  const scans = steps.flatMap(({ detail, parent }) => {
    const [, table = '', by = ''] = /^SCAN (\w+)(.*)/.exec(detail) ?? [];
    if (table === '' || table === 'CONSTANT' || ofParts.has(table)) return [];
    // A page is read along an index up to a limit.
    const isPage = by.includes(' USING ') && !isSorted && (parent !== 0 || isLimited(sql));
    return isPage ? [] : [`reads all of ${table}`];
  });
  return [...new Set([...scans, ...(isSorted ? ['sorts'] : []), ...(isGrouped ? ['groups'] : [])])];
}

/** Whether the statement as a whole returns a limited number of rows, not only a part of it. */
function isLimited(sql: string): boolean {
  let outer = sql;
  for (let before = ''; before !== outer;) [before, outer] = [outer, outer.replace(/\([^()]*\)/g, '')];
  return /\bLIMIT\b/.test(outer);
}
