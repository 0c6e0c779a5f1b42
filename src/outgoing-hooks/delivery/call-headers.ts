import { identityHeaders } from './signature.js';

/** The inputs for the headers of an attempt. */
export interface CallFacts {
  /** The delivery id. */
  readonly id: string;
  readonly contentType: string;
  /** The version of the server that makes the call. */
  readonly version: string;
  readonly atMs: number;
}

/**
 * The headers of a call (docs/contract/outgoing-webhooks.md#calls) except its signatures. The delivery log
 * rebuilds them for past attempts, so everything they depend on must be stored.
 */
export function callHeaders({ id, contentType, version, atMs }: CallFacts): Record<string, string> {
  return {
    'content-type': contentType,
    accept: 'application/json',
    // Some receivers accept only user agents that contain "Mattermost".
    'user-agent': `Hookline/${version} (Mattermost-Bot/1.1 compatible)`,
    ...identityHeaders(id, atMs),
  };
}
