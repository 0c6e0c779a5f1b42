import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { BoundedLimit } from '../../../platform/common/bounded-limit.js';
import { newId } from '../../../platform/common/ids.js';
import { PasswordQueueFull } from '../users.errors.js';

const ARGON2ID = 2 as Algorithm; // isolatedModules does not allow the package's const enum
const COST: Options = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each hash takes 19 MiB and one of libuv's four threads, which files and DNS share; one thread is left free. */
const MAX_CONCURRENT = Math.min(3, availableParallelism());
const MAX_WAITING = 200;

/** Hashes passwords with argon2id, a few at a time. Throws PasswordQueueFull if too many are waiting. */
@Injectable()
export class PasswordHasher {
  /** The cost of new hashes. Each hash contains its own cost. */
  readonly cost = COST;
  private readonly limit = new BoundedLimit(MAX_CONCURRENT, MAX_WAITING, () => new PasswordQueueFull());
  private decoy: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.limit.run(() => hash(password, this.cost));
  }

  /** False without a hash, but takes as long as with one, so that the time does not reveal which accounts exist. */
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
