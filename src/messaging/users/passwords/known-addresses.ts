import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { User } from '../user.entity.js';

const MAX_PER_USER = 8;
const HASH_LENGTH = 16; // 96 bits

type Owner = Pick<User, 'id' | 'knownAddresses'>;

/**
 * The most recent addresses that users signed in from. They are stored with the account, so they survive a
 * restart, as hashes that are useless without SECRET_KEY.
 */
@Injectable()
export class KnownAddresses {
  constructor(private readonly secrets: SecretBox) {}

  has(user: Owner, address: string): boolean {
    return listOf(user).includes(this.hashOf(user, address));
  }

  /** The hashes to store after a login. Local mode, where the address is empty, adds none. */
  including(user: Owner, address: string): string {
    if (address === '') return user.knownAddresses;
    const hash = this.hashOf(user, address);
    const others = listOf(user).filter((other) => other !== hash);
    return [...others, hash].slice(-MAX_PER_USER).join(' ');
  }

  private hashOf({ id }: Owner, address: string): string {
    const place = { table: 'users', column: 'known_addresses', id };
    return this.secrets.hash(address, place).slice(0, HASH_LENGTH);
  }
}

function listOf({ knownAddresses }: Owner): string[] {
  return knownAddresses.split(' ').filter((hash) => hash !== '');
}
