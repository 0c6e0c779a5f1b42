const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 20;
/** Using larger bytes would favor the first letters. */
const FAIR = 256 - (256 % LETTERS.length);

/** A password that can be read aloud: no two of its letters look alike. */
export function newPassword(): string {
  let password = '';
  while (password.length < LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (byte < FAIR && password.length < LENGTH) password += LETTERS.charAt(byte % LETTERS.length);
  return password;
}
