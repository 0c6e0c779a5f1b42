/**
 * A failure that is reported to the caller. `id` is the contract's stable key (docs/contract/conventions.md#errors), `status`
 * the HTTP status, the message plain English. Each module lists its errors in `<module>.errors.ts`, as functions that make one;
 * a subclass exists only where the error is caught by its kind.
 */
export class AppError extends Error {
  /** More about the cause, sent only in developer mode. */
  readonly detail: string;
  /** Extra response headers, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    readonly id: string,
    message: string,
    {
      detail = '',
      headers,
      cause,
    }: { detail?: string; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.detail = detail;
    this.headers = headers;
  }
}
