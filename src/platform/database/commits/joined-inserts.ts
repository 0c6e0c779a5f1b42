import { insertText, type Statement } from '../statement.js';

/** Statements of which neighbours that insert into the same table have become one. */
export interface JoinedInserts {
  readonly statements: readonly Statement[];
  /** How many rows each of the given statements changed, from the numbers of the joined ones. */
  readonly affectedByEach: (affected: readonly number[]) => readonly number[];
}

interface Run {
  readonly first: Statement;
  readonly others: Statement[];
}

/**
 * Makes one INSERT of neighbours that insert a row each into the same table, which takes the database less time than one
 * after the other. Their order stays.
 */
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
