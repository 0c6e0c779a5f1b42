/** An error response from the server, or the reason there is no response. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** 0 if the server could not be reached, 408 if it did not respond in time. */
    readonly status: number,
    readonly id = '',
    readonly requestId = '',
  ) {
    super(message);
  }
}
