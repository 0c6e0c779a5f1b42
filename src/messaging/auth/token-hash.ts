import { hash } from 'node:crypto';

/** The hash under which a token is stored (docs/contract/messaging.md#sessions). */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
