import type { EntityManager } from 'typeorm';

const MAX_BYTES_OF_CHARACTER = 3;
const BYTES_OF_NUMBER = 8;

/** The parts of an INSERT: its beginning, and the values group of each row. */
export interface InsertTexts {
  readonly into: string;
  readonly group: string;
}

/** An SQL statement. Its text is constant except for the number of rows. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Set on a single-row INSERT: adjacent ones with the same texts may be merged. */
  readonly insert?: InsertTexts;
}

/** The text of an INSERT of `rowCount` rows. */
export function insertText({ into, group }: InsertTexts, rowCount: number): string {
  return `${into} ${group}${`,${group}`.repeat(rowCount - 1)}`;
}

/** Runs a statement in the transaction of `manager`, if it has one. Returns the number of changed rows. */
export async function execute(manager: EntityManager, { sql, parameters }: Statement): Promise<number> {
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  try {
    const { affected } = await runner.query(sql, [...parameters], true);
    return Number(affected ?? 0);
  } finally {
    if (runner !== manager.queryRunner) await runner.release();
  }
}

/** An upper bound for the size of the parameters on the wire. */
export function sizeOfStatements(statements: readonly Statement[]): number {
  let bytes = 0;
  for (const { parameters } of statements)
    for (const value of parameters)
      bytes += typeof value === 'string' ? MAX_BYTES_OF_CHARACTER * value.length : BYTES_OF_NUMBER;
  return bytes;
}

/** Statements in which adjacent inserts into the same table are merged. */
export interface JoinedInserts {
  readonly statements: readonly Statement[];
  /** Maps the row counts of the merged statements to those of the original ones. */
  readonly affectedByEach: (affected: readonly number[]) => readonly number[];
}

interface Run {
  readonly first: Statement;
  readonly others: Statement[];
}

/** Merges adjacent single-row inserts into the same table, which is faster for the database. */
export function joinInserts(statements: readonly Statement[]): JoinedInserts {
  const runs = runsOf(statements);
  return {
    statements: runs.map(joined),
    affectedByEach: (affected) =>
      runs.flatMap(({ others: { length } }, index) =>
        length === 0 ? (affected[index] ?? 0) : Array<number>(length + 1).fill(1),
      ),
  };
}

function runsOf(statements: readonly Statement[]): Run[] {
  const runs: Run[] = [];
  for (const statement of statements) {
    const last = runs.at(-1);
    if (last?.first.insert !== undefined && last.first.insert === statement.insert)
      last.others.push(statement);
    else runs.push({ first: statement, others: [] });
  }
  return runs;
}

function joined({ first, others }: Run): Statement {
  if (!first.insert || others.length === 0) return first;
  const parameters = [first, ...others].flatMap((statement) => statement.parameters);
  return { sql: insertText(first.insert, others.length + 1), parameters };
}
