/**
 * A failure that is reported to the caller. `id` is the stable key of the contract
 * (docs/contract/conventions.md#errors), and `status` the HTTP status. Each module defines its errors as
 * factory functions in `<module>.errors.ts`; a subclass exists only where code catches that type.
 */
export class AppError extends Error {
  /** More about the cause, sent only in developer mode. */
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the body beside those of the contract. */
  further?: Readonly<Record<string, unknown>>;

  constructor(
    readonly status: number,
    readonly id: string,
    message: string,
    {
      detail = '',
      headers,
      cause,
    }: { detail?: string; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.detail = detail;
    this.headers = headers;
  }
}
