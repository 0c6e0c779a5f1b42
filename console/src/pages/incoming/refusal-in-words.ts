/** What the server tells programs to do, by what it is called here; the words are those of the server's errors. */
const HINTS: readonly (readonly [hint: string, here: string])[] = [
  ['or set channel_locked of the webhook to false.', 'or unlock the webhook under “Edit”.'],
  ['Take its address again', 'Take its URL again'],
  ['see its address', 'see its URL'],
];

/** Why a call was refused, with what can be done about it in the console. */
export const refusalInWords = (message: string): string =>
  HINTS.reduce((text, [hint, here]) => text.replace(hint, here), message);
