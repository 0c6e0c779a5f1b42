import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../platform/common/json.js';
import { VERSION } from '../../platform/common/version.js';
import { OutboundSettings } from '../../delivery/outbound/outbound.settings.js';
import { OutboundClient } from '../../delivery/outbound/outbound-client.js';
import { OutboundFailure } from '../../delivery/outbound/outbound-failure.js';
import { peerApiUrl } from '../site-url.js';
import { isObject } from './frame.js';
import { REMOTE_ID_HEADER, REMOTE_TOKEN_HEADER } from './remote-peer.guard.js';

const OK = 200;
/** The error ids of the contract. */
const ERROR_ID = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/;
const MAX_ERROR_ID_LENGTH = 128;

/** Where a peer is, and how we show who we are. */
export interface PeerAddress {
  readonly remoteId: string;
  readonly siteUrl: string;
  readonly token: string;
}

/** A peer did not answer as it must. The message is a sentence for people, without secrets. */
export class PeerFailure extends Error {
  override readonly name = 'PeerFailure';
  constructor(
    message: string,
    /** Of its answer; 0 when that was not the matter. */
    readonly status = 0,
    /** The error id in its answer; empty when there is none. */
    readonly errorId = '',
  ) {
    super(message);
  }
}

/** The headers of every call to a peer (docs/contract/secure-connections.md#peer-authentication). */
export function peerHeaders(remoteId: string, token: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `Hookline/${VERSION}`,
    [REMOTE_ID_HEADER]: remoteId,
    [REMOTE_TOKEN_HEADER]: token,
  };
}

/** Calls to peers that are made at once; messages go through the dispatcher instead. */
@Injectable()
export class PeerClient {
  constructor(
    private readonly client: OutboundClient,
    private readonly settings: OutboundSettings,
  ) {}

  /** The JSON object of a reply with exactly 200. Throws PeerFailure. */
  async send(
    { remoteId, siteUrl, token }: PeerAddress,
    path: 'ping' | 'confirm_invite',
    frame: JsonObject,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    try {
      const { status, body, isCut } = await this.client.send(
        {
          method: 'POST',
          url: peerApiUrl(siteUrl, path),
          headers: peerHeaders(remoteId, token),
          body: JSON.stringify(frame),
          timeoutMs: Math.min(timeoutMs, this.settings.outgoingTimeoutMs),
        },
        signal,
      );
      const reply = isCut ? undefined : parseReply(body);
      if (status !== OK) throw new PeerFailure(`The peer answered ${status}.`, status, errorIdOf(reply));
      if (!reply) throw new PeerFailure('The peer answered 200 with something else than a JSON object.');
      return reply;
    } catch (error) {
      if (error instanceof OutboundFailure) throw new PeerFailure(error.message);
      throw error;
    }
  }
}

function errorIdOf(reply: JsonObject | undefined): string {
  const id = reply?.['id'];
  const isId = typeof id === 'string' && id.length <= MAX_ERROR_ID_LENGTH && ERROR_ID.test(id);
  return isId ? id : '';
}

/** The JSON object of a body, or undefined. */
export function parseReply(body: Buffer): JsonObject | undefined {
  try {
    const decoded: unknown = JSON.parse(body.toString('utf8'));
    return isObject(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
