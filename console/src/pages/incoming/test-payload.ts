import { ApiError, type Schemas } from '../../api/client';
import { fetchInTime } from '../../api/fetch-in-time';

/** A call as sent. */
export interface Sent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Posts without the session, as a program does, so that errors match what programs get. Returns the outcome. */
export async function post(hookId: string, { text, headers }: Sent): Promise<string> {
  const url = new URL(`hooks/${hookId}?wait=true`, document.baseURI);
  const init = { method: 'POST', headers, credentials: 'omit', body: text } as const;
  const response = await fetchInTime(new Request(url, init));
  const reply = await response.text();
  if (!response.ok) throw errorOf(response, reply);
  const { ignored } = decoded<Schemas['ExecutedDto']>(reply);
  return ignored === undefined
    ? 'Sent. The message is in the channel.'
    : `Accepted, but nothing was posted: ${ignored}.`;
}

function errorOf({ status, headers }: Response, reply: string): ApiError {
  const { message = reply, id = '', request_id: requestId } = decoded<Schemas['ErrorDto']>(reply);
  return new ApiError(message, status, id, requestId ?? headers.get('x-request-id') ?? '');
}

function decoded<T>(reply: string): Partial<T> {
  try {
    return JSON.parse(reply) as Partial<T>;
  } catch {
    return {};
  }
}

/** What browsers say about JSON that only lacks its end. */
const LACKS_END = /end of|EOF|unterminated|position (?<at>\d+)/i;

function jsonErrorOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

function isBeginning(text: string): boolean {
  const error = jsonErrorOf(text);
  const at = error === undefined ? undefined : LACKS_END.exec(error);
  return error === undefined || (at !== null && Number(at?.groups?.['at'] ?? text.length) >= text.length);
}

/** The line where a text stops being JSON, and why. Not every browser says where, so that it is searched. */
export function jsonFaultIn(text: string): { readonly line: number; readonly reason: string } | undefined {
  const error = jsonErrorOf(text);
  if (error === undefined) return undefined;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const reason = error.replace(/,? (?:\.\.\.)?".*" is not valid JSON$|(?: in JSON)? at position.*$/s, '');
  return { line: text.slice(0, bad).split('\n').length, reason };
}

/** Headers of kept calls that a payload may depend on. Others would be sent twice, or repeat the earlier call. */
const OF_PAYLOAD = /^(?:content-type$|ce-|hookline-|sentry-hook-|x-)/;

export const headersOfPayload = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .filter(([name]) => OF_PAYLOAD.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Headers from lines of text; JSON is the default content type. */
export function headersIn(text: string): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const line of text.split('\n')) {
    const [name = '', ...value] = line.split(':');
    if (name.trim() !== '') headers[name.trim().toLowerCase()] = value.join(':').trim();
  }
  return headers;
}
