/**
 * A failure that is reported to the caller. `id` is the contract's stable key (docs/contract/conventions.md#errors),
 * `status` the HTTP status, the message plain English. `detail` is sent only in developer mode.
 */
export abstract class AppError extends Error {
  abstract readonly id: string;
  abstract readonly status: number;
  readonly detail: string = '';
  /** Extra response headers, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
