import { readEnvironment } from '../platform/config/settings.js';

/** Whether a text is an `http:` or `https:` URL. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A URL without slashes at its end. */
export function withoutSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/** The token of a command that is a client of the API. */
export function tokenFromEnvironment(): string {
  return readEnvironment()['HOOKLINE_TOKEN'] ?? '';
}

/** Why a request got no response, as a sentence. */
export function networkReasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return `${cause instanceof Error ? cause.message || 'The connection failed' : message}.`.replace(
    /\.\.$/,
    '.',
  );
}
