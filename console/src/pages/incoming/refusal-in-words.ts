/** Server hints for API clients and their console equivalents; keep in sync with the server's errors. */
const HINTS: readonly (readonly [hint: string, here: string])[] = [
  ['or set channel_locked of the webhook to false.', 'or unlock the webhook under “Edit”.'],
  ['Take its address again', 'Take its URL again'],
  ['see its address', 'see its URL'],
];

/** Reason for a refused call, with what to do in the console. */
export const refusalInWords = (message: string): string =>
  HINTS.reduce((text, [hint, here]) => text.replace(hint, here), message);
