/** The requests that the scenarios send. */
import { generateLoad, httpRequest } from './load.mjs';

const chatter = 'Build 812 of the main branch is green: 1204 tests passed in 8 minutes. '.repeat(3);
/** A message of this number of characters. */
export const textOf = (length) => chatter.slice(0, length);

export function jsonRequest(method, url, body, headers = {}) {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return httpRequest({ method, url, headers: { ...headers, ...type }, body: body && JSON.stringify(body) });
}

/** A request to the API, signed in. */
export function apiRequest(api, method, path, body) {
  return jsonRequest(method, `${api.url}/api/v4${path}`, body, { Authorization: `Bearer ${api.token}` });
}

/** Sends requests: always the same one, or the one for each number. */
export function sender(url, request) {
  const next = typeof request === 'function' ? request : () => request;
  return (load) => generateLoad({ url, request: next, ...load });
}

/** Calls a path of the yardstick. */
export async function askYardstick(yardstick, method, path, body) {
  const answer = await fetch(`${yardstick.url}${path}`, { method, body: body && JSON.stringify(body) });
  return answer.json();
}
