import { pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { BoundedLimit } from '../../platform/common/bounded-limit.js';
import { TooManyInvites } from '../remote-clusters.errors.js';

const KEY_BYTES = 32;
const PBKDF2_ITERATIONS = 600_000;
const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** Each takes a core for a while, and scrypt 32 MiB; the thread pool has other work too. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 10;

const pbkdf2Key = promisify(pbkdf2);
const scryptKey = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** `pbkdf2`: invites of version 3 and later; `scrypt`: earlier ones (docs/contract/secure-connections.md#bytes). */
export type KeyDerivation = 'pbkdf2' | 'scrypt';

/** Keys of invites from their passwords: off the event loop, few at a time. Throws TooManyInvites when too many wait. */
@Injectable()
export class InviteKeys {
  private readonly limit = new BoundedLimit(
    MAX_AT_ONCE,
    MAX_WAITING,
    () => new TooManyInvites(RETRY_AFTER_SECONDS),
  );

  derive(derivation: KeyDerivation, password: string, salt: Buffer): Promise<Buffer> {
    return this.limit.run(() =>
      derivation === 'pbkdf2'
        ? pbkdf2Key(password, salt, PBKDF2_ITERATIONS, KEY_BYTES, 'sha256')
        : scryptKey(password, salt, KEY_BYTES, SCRYPT),
    );
  }
}
