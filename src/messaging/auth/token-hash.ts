import { createHash } from 'node:crypto';

/** What is stored of a token: enough to know it again, too little to use it (docs/contract/messaging.md#sessions). */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
