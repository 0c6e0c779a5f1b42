import { identityHeaders } from './signature.js';

/** What the headers of an attempt are made of. */
export interface CallFacts {
  /** Of the delivery. */
  readonly id: string;
  readonly contentType: string;
  /** Of the server that makes the call. */
  readonly version: string;
  readonly atMs: number;
}

/**
 * The headers of a call (docs/contract/outgoing-webhooks.md#calls) but for its signatures. The log tells them of past
 * attempts: whatever they depend on has to be kept.
 */
export function callHeaders({ id, contentType, version, atMs }: CallFacts): Record<string, string> {
  return {
    'content-type': contentType,
    accept: 'application/json',
    // Receivers that let only Mattermost in look for its name.
    'user-agent': `Hookline/${version} (Mattermost-Bot/1.1 compatible)`,
    ...identityHeaders(id, atMs),
  };
}
