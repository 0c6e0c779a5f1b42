import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { BoundedLimit } from '../../../platform/common/bounded-limit.js';
import { newId } from '../../../platform/common/ids.js';
import { PasswordQueueFull } from '../users.errors.js';

const ARGON2ID = 2 as Algorithm; // the package's const enum cannot be read by isolated modules
const COST: Options = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each hash holds 19 MiB and one of the four threads that files and names share; one of those stays free. */
const MAX_CONCURRENT = Math.min(3, availableParallelism());
const MAX_WAITING = 200;

/** Hashes passwords with argon2id, a few at once; throws PasswordQueueFull rather than let the queue grow. */
@Injectable()
export class PasswordHasher {
  /** Kept in each hash, so that a hash is verified at the cost it was made with. */
  readonly cost = COST;
  private readonly limit = new BoundedLimit(MAX_CONCURRENT, MAX_WAITING, () => new PasswordQueueFull());
  private decoy: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.limit.run(() => hash(password, this.cost));
  }

  /** Without a hash it takes as long as with one, and is false: nobody learns from it which accounts exist. */
  async verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    if (passwordHash !== undefined && passwordHash !== '')
      return this.limit.run(() => verify(passwordHash, password));
    const decoy = await this.decoyHash();
    await this.limit.run(() => verify(decoy, password));
    return false;
  }

  private async decoyHash(): Promise<string> {
    this.decoy ??= this.hash(newId());
    try {
      return await this.decoy;
    } catch (error) {
      this.decoy = undefined;
      throw error;
    }
  }
}
