/*
 * Loaded into a measured process by NODE_OPTIONS: answers on the socket BENCH_PROBE with its CPU time and, for the
 * embedded database, the number of its statements and commits. MySQL counts its own.
 */
const Module = require('node:module');
const net = require('node:net');
const { isMainThread } = require('node:worker_threads');

const DRIVER = '@photostructure/sqlite';
const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);
const counts = { statements: 0, commits: 0 };

if (isMainThread && process.env.BENCH_PROBE) {
  if (process.env.BENCH_COUNTS_SQLITE) replaceDriver();
  net
    .createServer((socket) => {
      const { user, system } = process.cpuUsage();
      socket.end(JSON.stringify({ cpuMicros: user + system, ...counts }));
    })
    .listen(process.env.BENCH_PROBE)
    .unref();
}

function replaceDriver() {
  const load = Module._load;
  let counted;
  Module._load = (name, ...rest) => {
    const loaded = load(name, ...rest);
    return name === DRIVER ? (counted ??= { ...loaded, DatabaseSync: countedDatabase(loaded) }) : loaded;
  };
}

function countedDatabase({ DatabaseSync }) {
  return class extends DatabaseSync {
    exec(sql) {
      count(this, verbOf(sql));
      return super.exec(sql);
    }

    prepare(sql) {
      return new CountedStatement(super.prepare(sql), this, verbOf(sql));
    }
  };
}

class CountedStatement {
  constructor(statement, database, verb) {
    Object.assign(this, { statement, database, verb });
  }

  columns() {
    return this.statement.columns();
  }

  setReturnArrays(areArrays) {
    this.statement.setReturnArrays(areArrays);
  }

  run(...values) {
    count(this.database, this.verb);
    return this.statement.run(...values);
  }

  get(...values) {
    count(this.database, this.verb);
    return this.statement.get(...values);
  }

  all(...values) {
    count(this.database, this.verb);
    return this.statement.all(...values);
  }
}

const verbOf = (sql) => /\w+/.exec(sql)?.[0].toUpperCase();

/** A write outside a transaction commits immediately. */
function count(database, verb) {
  counts.statements++;
  if (verb === 'COMMIT' || (WRITES.has(verb) && !database.isTransaction)) counts.commits++;
}
