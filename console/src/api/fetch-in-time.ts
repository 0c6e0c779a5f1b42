import { ApiError } from './api-error';

const LIMIT_MS = 30_000;
/** Calls that wait for receivers or other servers, which may take as long as the settings allow. */
const SLOW_PATHS = /\/(?:test|check|accept_invite|invite|uninvite)$/;
const SLOW_LIMIT_MS = 180_000;

/** Sends a request and aborts it if the response takes too long. Throws ApiError without a response. */
export async function fetchInTime(request: Request): Promise<Response> {
  const limit = new AbortController();
  const late = 'The server did not respond in time.';
  const fault = request.method === 'GET' ? late : `${late} It may still carry out the request.`;
  const limitMs = SLOW_PATHS.test(new URL(request.url).pathname) ? SLOW_LIMIT_MS : LIMIT_MS;
  setTimeout(() => limit.abort(new ApiError(fault, 408)), limitMs);
  return fetch(request, { signal: limit.signal }).catch((error: unknown) => {
    throw error instanceof ApiError ? error : unreachable();
  });
}

/** Error for a missing or incomplete response. */
export const unreachable = (): ApiError => new ApiError('The server cannot be reached.', 0);
