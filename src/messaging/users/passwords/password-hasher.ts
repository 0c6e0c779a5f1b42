import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { FairLimit } from '../../../platform/common/fair-limit.js';
import { newId } from '../../../platform/common/ids.js';
import { byteLength } from '../../../platform/common/utf8.js';
import { passwordQueueFull } from '../users.errors.js';
import { isGivenHash } from './given-hash.js';

const ARGON2ID = 2 as Algorithm; // isolatedModules does not allow the package's const enum
const COST: Options = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * Each hash takes 19 MiB, a processor, and one of libuv's four threads, which files and DNS share. One thread is left free,
 * and one processor for everything else.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(3, availableParallelism() - 1));
const MAX_WAITING = 200;
/** bcrypt ignores what follows. */
const MAX_BCRYPT_BYTES = 72;

/** Who waits for a hash: strangers who sign in or up, people of whom something is known, or local mode. */
export type HashLane = 'login' | 'sign-up' | 'known' | 'local';

/** Hashes passwords with argon2id, a few at a time; lanes take turns. Throws `passwordQueueFull` if too many of one wait. */
@Injectable()
export class PasswordHasher {
  /** The cost of new hashes. Each hash contains its own cost. */
  readonly cost = COST;
  private readonly limit = new FairLimit<HashLane>(MAX_CONCURRENT, MAX_WAITING, () => passwordQueueFull());
  private decoy: Promise<string> | undefined;

  hash(password: string, lane: HashLane): Promise<string> {
    return this.limit.run(lane, () => hash(password, this.cost));
  }

  /** False without a hash, but takes as long as with one, so that the time does not reveal which accounts exist. */
  async verify(passwordHash: string | undefined, password: string, lane: HashLane): Promise<boolean> {
    if (passwordHash !== undefined && passwordHash !== '')
      return this.limit.run(lane, () => matches(passwordHash, password));
    const decoy = await this.decoyHash();
    await this.limit.run(lane, () => verify(decoy, password));
    return false;
  }

  /** Made once, beside the lanes: it must not wait behind a flood. */
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

/** Whether it is the password of a hash of this server, or of one that was given to it. */
async function matches(passwordHash: string, password: string): Promise<boolean> {
  if (!isGivenHash(passwordHash)) return verify(passwordHash, password);
  return (await verifyBcrypt(password, passwordHash)) && byteLength(password) <= MAX_BCRYPT_BYTES;
}
