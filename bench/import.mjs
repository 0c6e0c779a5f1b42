/**
 * How fast posts are imported from a Mattermost database, next to loading the same rows from a plain dump:
 *
 *   node bench/import.mjs [--posts=1000000] [--database=sqlite,mysql]
 */
import { spawn } from 'node:child_process';
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { createConnection } from 'mysql2/promise';
import { programFile } from '../scripts/bundle.mjs';
import { exitBecauseOf } from '../scripts/prepare.mjs';
import { openManyPosts } from '../test/import/many-posts.mjs';
import { ServerProcess } from '../test/support/server-process.mjs';
import { makePlace } from './places.mjs';

/** Rows of an INSERT of a dump. */
const ROWS = 1_000;
const { values: options } = parseArgs({
  options: {
    posts: { type: 'string', default: '1000000' },
    database: { type: 'string', default: 'sqlite,mysql' },
  },
});

async function bench() {
  const posts = Number(options.posts);
  const source = await openManyPosts({ posts, isSmall: false });
  try {
    for (const database of options.database.split(',')) {
      const target = await makePlace(database);
      const plain = await makePlace(database);
      const dump = path.join(target.folder, 'posts.sql');
      try {
        const imported = await seconds(() => runImport(target, source.url));
        await writeDump(target, dump);
        await (await ServerProcess.start({ ...plain.env, BOOTSTRAP: 'none' })).stop(); // creates the tables
        const loaded = await seconds(() => loadDump(plain, dump));
        const [rate, plainRate] = [posts / imported, posts / loaded];
        console.log(
          `${target.database}: ${rate.toFixed(0)} posts/s imported and verified in ${imported.toFixed(1)} s; ` +
            `${plainRate.toFixed(0)} posts/s from a dump; ratio ${(rate / plainRate).toFixed(2)}`,
        );
      } finally {
        await Promise.all([target.remove(), plain.remove()]);
      }
    }
  } finally {
    await source.close();
  }
}

async function seconds(work) {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

async function runImport({ env, folder }, url) {
  const child = spawn(process.execPath, [programFile('import'), 'mattermost', url], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The import ended with ${code}.`);
}

/** The imported posts as INSERT statements, one a line. */
async function writeDump(place, file) {
  const database = await open(place);
  const output = openSync(file, 'w');
  for (let after = ''; ;) {
    const rows = await database.query(`SELECT * FROM posts WHERE id > '${after}' ORDER BY id LIMIT ${ROWS}`);
    if (rows.length === 0) break;
    const values = rows.map((row) => `(${Object.values(row).map(literal).join(',')})`).join(',');
    writeSync(output, `INSERT INTO posts (${Object.keys(rows[0]).join(',')}) VALUES ${values};\n`);
    after = rows.at(-1).id;
  }
  closeSync(output);
  await database.close();
}

const literal = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value));

async function loadDump(place, file) {
  const database = await open(place);
  await database.query('BEGIN');
  for await (const statement of createInterface({ input: createReadStream(file) }))
    await database.query(statement);
  await database.query('COMMIT');
  // SQLite's full-text index is not in the dump.
  if (place.yardstick[0] === 'sqlite')
    await database.query('INSERT INTO post_search (rowid, message) SELECT rowid, message FROM posts');
  await database.close();
  rmSync(file);
}

async function open({ yardstick: [kind, address] }) {
  if (kind === 'mysql') {
    const connection = await createConnection({ uri: address });
    return { query: async (sql) => (await connection.query(sql))[0], close: () => connection.end() };
  }
  const database = new DatabaseSync(address);
  return {
    query: async (sql) => (/^SELECT/.test(sql) ? database.prepare(sql).all() : database.exec(sql)),
    close: async () => database.close(),
  };
}

await bench().catch(exitBecauseOf);
