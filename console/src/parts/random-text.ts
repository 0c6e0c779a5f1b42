const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An unguessable text of capital letters and digits, with five bits in each character. */
export const randomText = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => LETTERS[byte % LETTERS.length]).join(
    '',
  );
