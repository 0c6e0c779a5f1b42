import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';

const MIN_COST = 4;
/** A sign-in with this cost takes about a second. */
const MAX_COST = 14;
/** Without the encodings that no bcrypt produces, because no password matches them. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** How hashes of other formats begin. */
const OTHER_FORMATS: readonly (readonly [beginning: RegExp, name: string])[] = [
  [/^\$argon2(id?|d)\$/i, 'Argon2'],
  [/^(\$?pbkdf2|\{?pbkdf2)/i, 'PBKDF2'],
  [/^(\$scrypt|\$7\$|scrypt:)/i, 'scrypt'],
  [/^\$(y|gy)\$/, 'yescrypt'],
  [/^\$(1|apr1)\$/, 'MD5-crypt'],
  [/^\$5\$/, 'SHA-256-crypt'],
  [/^\$6\$/, 'SHA-512-crypt'],
  [/^\$[PH]\$/, 'phpass'],
  [/^\{[A-Z0-9-]{1,20}\}/i, 'LDAP'],
  [/^[0-9a-f]{32}$/i, 'MD5'],
  [/^[0-9a-f]{40}$/i, 'SHA-1'],
  [/^[0-9a-f]{64}$/i, 'SHA-256'],
  [/^[0-9a-f]{128}$/i, 'SHA-512'],
];

/** Whether a stored hash is one that was given as such, to be replaced at the next sign-in. */
export const isGivenHash = (passwordHash: string): boolean => BCRYPT.test(passwordHash);

/** Throws InvalidBodyParam, which names the format of the hash and never contains the hash, unless it is bcrypt. */
export function requireAcceptedHash(field: string, hash: string): void {
  const cost = Number(BCRYPT.exec(hash)?.[1]);
  if (cost >= MIN_COST && cost <= MAX_COST) return;
  throw new InvalidBodyParam(
    field,
    `it must be a bcrypt hash ($2a$, $2b$ or $2y$); ${problemOf(hash, cost)}`,
  );
}

function problemOf(hash: string, cost: number): string {
  if (!Number.isNaN(cost)) return `its cost is ${cost}, and ${MIN_COST} to ${MAX_COST} are accepted`;
  if (/^\$2.?\$/.test(hash)) return 'this one is malformed or of another version of bcrypt';
  const format = OTHER_FORMATS.find(([beginning]) => beginning.test(hash));
  return format ? `the format ${format[1]} is not accepted` : 'its format is unknown';
}
