import { inOnePiece } from './hostile-texts.js';

/** The default of MAX_PAYLOAD_BYTES. */
export const BODY = 300_000;
/** Node refuses longer headers. */
export const HEADER = 16_000;
export const URL_LENGTH = 2_000;

/** A function that takes text from outside. */
export interface TextFunction {
  /** The maximum length that reaches it; longer texts are rejected before. */
  readonly max: number;
  /** The call for a text. Its other arguments are created here and not measured. */
  readonly prepare: (text: string) => () => unknown;
}

type Call = (text: string) => unknown;
/** A function that takes texts of up to this length, here with the surrounding text. */
export const upTo =
  (max: number) =>
  (call: Call, before = '', after = ''): TextFunction => ({
    max,
    prepare: (text) => {
      const sent = inOnePiece(before + text + after);
      return () => call(sent);
    },
  });
export const body = upTo(BODY);
/** A function that takes a body which contains the text this number of times. */
export const bodyWith = (times: number): ReturnType<typeof upTo> => upTo(Math.floor(BODY / times));
/** Node reads headers as Latin-1. */
export const header = (call: Call): TextFunction => ({
  max: HEADER,
  prepare: (text) => {
    const sent = Buffer.from(text, 'latin1').toString('latin1');
    return () => call(sent);
  },
});
export const url = upTo(URL_LENGTH);
/** A function that takes a list, here the words of the text. */
export const list = (call: (words: readonly string[]) => unknown, max = BODY): TextFunction => ({
  max,
  prepare: (text) => {
    const words = wordsOf(text);
    return () => call(words);
  },
});
/**
 * A function that takes an object, here with the words in a fixed number of keys, because the cost of a key in V8
 * itself rises severalfold with their number.
 */
const KEYS = 100;
export const object = (call: (object: Record<string, unknown>) => unknown): TextFunction => ({
  max: BODY,
  prepare: (text) => {
    const part = text.slice(0, Math.ceil(text.length / KEYS));
    const sent = Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`${part}${index}`, part]));
    return () => call(sent);
  },
});

const wordsOf = (text: string): string[] => text.split(' ');

export const bytes = (text: string): Buffer => Buffer.from(text);

export const USER_ID = 'gqsr16q5bj8ikq9dsu7mzp3acy';
/** An attachment with the text in each of its fields. */
export const attachment = (text: string): object => ({
  id: 1,
  ...Object.fromEntries(
    [
      'fallback',
      'pretext',
      'author_link',
      'author_icon',
      'title',
      'title_link',
      'text',
      'image_url',
      'ts',
    ].map((name) => [name, text]),
  ),
  fields: [{ title: text, value: text }],
  actions: [{ id: 'a', name: text, integration: { url: text, context: { text } } }],
});

export function attempt(action: () => unknown): void {
  try {
    action();
  } catch {
    // rejecting must be cheap as well
  }
}

export function ignore(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
