/**
 * The baseline: a bare node:http server that parses the same JSON, inserts the same columns with the same durability in
 * batches, one batch at a time, and answers `ok`. It has no hooks, users or channels.
 *
 *   node bench/bare-server.mjs sqlite <file>
 *   node bench/bare-server.mjs mysql <url with database>
 *
 * The table must exist. Prints its URL once it listens.
 */
import http from 'node:http';
import { createRequire } from 'node:module';

const [, , engine, target] = process.argv;
const require = createRequire(import.meta.url);
const { newId } = require('../dist/src/platform/common/ids.js');

const columns =
  'id,seq,create_at,update_at,edit_at,delete_at,user_id,channel_id,root_id,original_id,message,type,props,hashtags,is_pinned,pending_post_id,metadata,reply_count,last_reply_at';
const marks = `(${columns
  .split(',')
  .map(() => '?')
  .join(',')})`;
const insert = engine === 'sqlite' ? await sqliteInsert(target) : await mysqlInsert(target);

const owner = newId();
const channel = newId();
let seq = Date.now() * 2048;
let waiting = [];
let isFlying = false;

if (process.argv[4] === 'single-commits') {
  await measureSingleCommits();
  process.exit(0);
}

http
  .createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const payload = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      waiting.push({ row: toRow(payload), response });
      if (!isFlying) {
        isFlying = true;
        setImmediate(fly);
      }
    });
  })
  .listen(0, '127.0.0.1', function () {
    console.log(`http://127.0.0.1:${this.address().port}`);
  });

async function fly() {
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await insert(batch.map((item) => item.row));
    for (const { response } of batch) {
      response.setHeader('Content-Type', 'text/plain');
      response.setHeader('Content-Length', 2);
      response.end('ok');
    }
  }
  isFlying = false;
}

function toRow(payload) {
  const now = Date.now();
  const props = JSON.stringify({
    from_webhook: 'true',
    webhook_display_name: '',
    override_username: 'webhook',
  });
  return [
    newId(),
    ++seq,
    now,
    now,
    0,
    0,
    owner,
    channel,
    '',
    '',
    payload.text,
    '',
    props,
    '',
    0,
    '',
    '{}',
    0,
    0,
  ];
}

/** The latency of one bare single-row commit: p50 of 2,000, in milliseconds. */
async function measureSingleCommits() {
  const latencies = [];
  for (let i = 0; i < 2000; i++) {
    const startedAt = performance.now();
    await insert([toRow({ text: 'x'.repeat(200) })]);
    latencies.push(performance.now() - startedAt);
  }
  latencies.sort((a, b) => a - b);
  console.log(JSON.stringify({ p50: latencies[1000], p99: latencies[1980] }));
}

async function sqliteInsert(file) {
  const { DatabaseSync } = require('@photostructure/sqlite');
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const statement = database.prepare(`INSERT INTO posts (${columns}) VALUES ${marks}`);
  return async (rows) => {
    database.exec('BEGIN');
    for (const row of rows) statement.run(...row);
    database.exec('COMMIT');
  };
}

async function mysqlInsert(url) {
  const mysql = require('mysql2/promise');
  const connection = await mysql.createConnection({ uri: url, charset: 'utf8mb4' });
  return async (rows) => {
    // Each statement is a transaction.
    await connection.query(
      `INSERT INTO posts (${columns}) VALUES ${rows.map(() => marks).join(',')}`,
      rows.flat(),
    );
  };
}
