/** An error of SQLite, with the symbolic `code` that TypeORM and database-errors.ts expect. */
export class SqliteError extends Error {
  constructor(
    message: string,
    readonly code: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'SqliteError';
  }
}
