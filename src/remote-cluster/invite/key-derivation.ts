import { pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { BoundedLimit } from '../../platform/common/bounded-limit.js';
import { tooManyInvites } from '../remote-clusters.errors.js';

const KEY_BYTES = 32;
const PBKDF2_ITERATIONS = 600_000;
const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** A derivation keeps a core busy and scrypt takes 32 MiB. The thread pool has other work, too. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 10;

const pbkdf2Key = promisify(pbkdf2);
const scryptKey = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** `pbkdf2` for invites from version 3 on, `scrypt` for earlier ones (docs/contract/secure-connections.md#bytes). */
export type KeyDerivation = 'pbkdf2' | 'scrypt';

/** Derives keys from passwords off the event loop, a few at a time. Throws `tooManyInvites` if too many are waiting. */
@Injectable()
export class InviteKeys {
  private readonly limit = new BoundedLimit(MAX_AT_ONCE, MAX_WAITING, () =>
    tooManyInvites(RETRY_AFTER_SECONDS),
  );

  derive(derivation: KeyDerivation, password: string, salt: Buffer): Promise<Buffer> {
    return this.limit.run(() =>
      derivation === 'pbkdf2'
        ? pbkdf2Key(password, salt, PBKDF2_ITERATIONS, KEY_BYTES, 'sha256')
        : scryptKey(password, salt, KEY_BYTES, SCRYPT),
    );
  }
}
