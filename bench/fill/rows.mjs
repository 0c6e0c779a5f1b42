/** Multiplies rows that the server has written, so that each column has what the server would have written. */
import { chunkRows } from './database.mjs';

/**
 * Adds `count` copies of a row. `n` counts them from 0; `columns` has the SQL of what differs in each, in terms of `n`, of
 * the columns of `join`, and of the row itself, which is called `model`.
 */
export async function multiply(database, { table, where, count, columns, join = '', isReversible = false }) {
  const names = await database.columns(table);
  for (const name of Object.keys(columns))
    if (!names.includes(name)) throw new Error(`${table} has no column ${name}.`);
  const model = `bench_model_${table}`;
  await database.run(`CREATE TABLE ${model} AS SELECT ${quoted(names)} FROM ${table} WHERE ${where}`);
  const [{ models }] = await database.rows(`SELECT COUNT(*) AS models FROM ${model}`);
  if (Number(models) !== 1) throw new Error(`${table} has ${models} rows with ${where}.`);
  const values = names.map((name) => columns[name] ?? `model."${name}"`);
  const addIndexes = isReversible ? await database.dropIndexes(table) : undefined;
  for (let from = 0; from < count; from += chunkRows)
    await database.run(
      `INSERT INTO ${table} (${quoted(names)}) SELECT ${values.join(', ')}
       FROM (SELECT n + ${from} AS n FROM bench_numbers WHERE n < ${Math.min(chunkRows, count - from)}) AS numbers
       CROSS JOIN ${model} AS model ${join}`,
    );
  await addIndexes?.();
  await database.run(`DROP TABLE ${model}`);
}

/** A table of these rows, which a `join` can use; its first column is its key. */
export async function listTable(database, name, rows, types) {
  const names = Object.keys(types);
  const columns = names.map((column) => `${column} ${types[column]}`);
  await database.run(`CREATE TABLE ${name} (${columns.join(', ')}, PRIMARY KEY (${names[0]}))`);
  for (let start = 0; start < rows.length; start += 500) {
    const some = rows.slice(start, start + 500);
    const places = some.map(() => `(${names.map(() => '?').join(', ')})`).join(', ');
    await database.run(
      `INSERT INTO ${name} (${names.join(', ')}) VALUES ${places}`,
      some.flatMap((row) => names.map((column) => row[column])),
    );
  }
}

const quoted = (names) => names.map((name) => `"${name}"`).join(', ');
