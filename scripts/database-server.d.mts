export interface DatabaseServer {
  /** An administrator's mysql:// URL without a database. */
  readonly url: string;
  readonly engine: 'mariadb' | 'mysql';
  readonly version: string;
  readonly socket: string | undefined;
  /** Ends the server and deletes everything. */
  stop(): Promise<void>;
  /** Ends the server at once; data and port stay for restart. */
  kill(): Promise<void>;
  /** Kills the server if it runs, starts it on the same data and port, and waits until it answers. */
  restart(): Promise<void>;
}

export interface DatabaseServerOptions {
  /** innodb_flush_log_at_trx_commit: 2 for tests (the default), 1 for measurements. */
  flushLogAtTrxCommit?: 0 | 1 | 2;
  /** Never takes the server of TEST_MYSQL_URL. */
  isPrivate?: boolean;
  serverArguments?: readonly string[];
  say?: (sentence: string) => void;
}

export function startDatabaseServer(options?: DatabaseServerOptions): Promise<DatabaseServer>;
