import createClient from 'openapi-fetch';
import type { components, paths } from '#api';
import { ApiError } from './api-error';
import { fetchInTime, unreachable } from './fetch-in-time';

/** API schemas, by their names in the OpenAPI document. */
export type Schemas = components['schemas'];

export { ApiError };

/** Called when a request finds that the user is no longer signed in. */
let onSessionEnded: () => void = () => undefined;

export function listenForSessionEnd(listener: () => void): void {
  onSessionEnded = listener;
}

/** API client on the page's own origin and path, with the session cookies and the CSRF token. */
export const api = createClient<paths>({
  baseUrl: new URL('.', document.baseURI).href.replace(/\/$/, ''),
  fetch: fetchInTime,
});

/** Number of sign-ins, and that number when each request was sent: a 401 from before is ignored. */
let signIns = 0;
const signInsWhenSent = new WeakMap<Request, number>();
const LOGIN = '/api/v4/users/login';

api.use({
  onRequest({ request }) {
    signInsWhenSent.set(request, signIns);
    request.headers.set('X-Requested-With', 'XMLHttpRequest');
    const proof = /(?:^|; )MMCSRF=([^;]+)/.exec(document.cookie)?.[1];
    if (proof !== undefined) request.headers.set('X-CSRF-Token', proof);
  },
  onResponse({ request, response, schemaPath }) {
    if (schemaPath === LOGIN) signIns += response.ok ? 1 : 0;
    else if (response.status === 401 && signInsWhenSent.get(request) === signIns) onSessionEnded();
  },
});

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the response data; throws ApiError if the server refuses, is unreachable, or times out. */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (error) {
    throw error instanceof ApiError ? error : unreachable();
  }
  if (answer.response.ok) return answer.data as T;
  const { message, id, request_id: requestId } = (answer.error ?? {}) as Partial<Schemas['ErrorDto']>;
  throw new ApiError(
    message ?? `The server answered ${answer.response.status}.`,
    answer.response.status,
    id ?? '',
    requestId ?? answer.response.headers.get('x-request-id') ?? '',
  );
}
