import { randomInt } from 'node:crypto';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';

const MAX_LENGTH = 1_024;
const GENERATED_LENGTH = 16;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns the password. Throws InvalidBodyParam if it is too long. */
export function requirePassword(password: string): string {
  if (password.length > MAX_LENGTH)
    throw new InvalidBodyParam('password', `it may have ${MAX_LENGTH} characters at most`);
  return password;
}

/** A random password of about 95 bits. */
export function newPassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
