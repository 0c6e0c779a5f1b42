import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { FairLimit } from '../../../platform/common/fair-limit.js';
import { newId } from '../../../platform/common/ids.js';
import { byteLength } from '../../../platform/common/utf8.js';
import { passwordQueueFull } from '../users.errors.js';

const MIN_COST = 4;
/** A sign-in with this cost takes about a second. */
const MAX_COST = 14;
/** Excludes encodings that bcrypt never produces, because no password matches them. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

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

/** Whether a stored hash was imported; it is replaced at the next sign-in. */
export const isBcryptHash = (passwordHash: string): boolean => BCRYPT.test(passwordHash);

/** Throws InvalidBodyParam unless it is a bcrypt hash. The error names the format but never the hash. */
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
  if (/^\$2.?\$/.test(hash)) return 'it is malformed or of another bcrypt version';
  const format = OTHER_FORMATS.find(([beginning]) => beginning.test(hash));
  return format ? `the format ${format[1]} is not accepted` : 'its format is unknown';
}

const ARGON2ID = 2 as Algorithm; // isolatedModules does not allow the package's const enum
const COST: Options = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * Each hash takes 19 MiB, one CPU core, and one of libuv's four threads, which file access and DNS share. One
 * thread and one core are left free for everything else.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(3, availableParallelism() - 1));
const MAX_WAITING = 200;
const MAX_BCRYPT_BYTES = 72;

/** The lanes: unknown clients that sign in or up, known users, and local mode. */
export type HashLane = 'login' | 'sign-up' | 'known' | 'local';

/** Hashes with argon2id, a few at a time; lanes take turns. Throws `passwordQueueFull` if a lane is full. */
@Injectable()
export class PasswordHasher {
  /** The cost of new hashes. Each hash contains its own cost. */
  readonly cost = COST;
  private readonly limit = new FairLimit<HashLane>(MAX_CONCURRENT, MAX_WAITING, () => passwordQueueFull());
  private decoy: Promise<string> | undefined;

  hash(password: string, lane: HashLane): Promise<string> {
    return this.limit.run(lane, () => hash(password, this.cost));
  }

  /** Returns false without a hash but takes as long, so timing does not reveal which accounts exist. */
  async verify(passwordHash: string | undefined, password: string, lane: HashLane): Promise<boolean> {
    if (passwordHash !== undefined && passwordHash !== '')
      return this.limit.run(lane, () => matches(passwordHash, password));
    const decoy = await this.decoyHash();
    await this.limit.run(lane, () => verify(decoy, password));
    return false;
  }

  /** Computed once, outside the lanes, so that it does not wait behind a flood. */
  private async decoyHash(): Promise<string> {
    this.decoy ??= hash(newId(), this.cost);
    try {
      return await this.decoy;
    } catch (error) {
      this.decoy = undefined;
      throw error;
    }
  }
}

async function matches(passwordHash: string, password: string): Promise<boolean> {
  if (!isBcryptHash(passwordHash)) return verify(passwordHash, password);
  return (await verifyBcrypt(password, passwordHash)) && byteLength(password) <= MAX_BCRYPT_BYTES;
}
