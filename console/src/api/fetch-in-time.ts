import { ApiError } from './api-error';

const LIMIT_MS = 30_000;
/** What waits for receivers or for other servers, which may be as slow as the settings let them. */
const OF_OTHERS = /\/(?:test|check|accept_invite|invite|uninvite)$/;
const LIMIT_OF_OTHERS_MS = 180_000;

/** Sends a request, and ends it when its whole answer takes too long: somebody waits for it. Throws ApiError without an answer. */
export async function fetchInTime(request: Request): Promise<Response> {
  const limit = new AbortController();
  const late = 'The server did not respond in time.';
  const fault = request.method === 'GET' ? late : `${late} It may still carry out the request.`;
  const limitMs = OF_OTHERS.test(new URL(request.url).pathname) ? LIMIT_OF_OTHERS_MS : LIMIT_MS;
  setTimeout(() => limit.abort(new ApiError(fault, 408)), limitMs);
  return fetch(request, { signal: limit.signal }).catch((error: unknown) => {
    throw error instanceof ApiError ? error : unreachable();
  });
}

/** Why there is no answer, or not the whole of it. */
export const unreachable = (): ApiError => new ApiError('The server cannot be reached.', 0);
