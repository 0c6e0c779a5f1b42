import { createHash } from 'node:crypto';

/** What is stored of a token: enough to know it again, too little to use it (design section 6). */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
