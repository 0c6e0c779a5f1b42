/** A refusal in the server's words, or why there is no answer. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** 0 if the server could not be reached, 408 if it did not answer in time. */
    readonly status: number,
    readonly id = '',
    readonly requestId = '',
  ) {
    super(message);
  }
}
