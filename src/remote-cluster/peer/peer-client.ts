import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../platform/common/json.js';
import { VERSION } from '../../platform/common/version.js';
import { OutboundSettings } from '../../delivery/outbound/outbound.settings.js';
import { OutboundClient } from '../../delivery/outbound/outbound-client.js';
import { OutboundFailure } from '../../delivery/outbound/outbound-failure.js';
import { peerApiUrl } from '../remote-cluster.rules.js';
import { isObject } from './frame.js';
import { REMOTE_ID_HEADER, REMOTE_TOKEN_HEADER } from './remote-peer.guard.js';

const OK = 200;
const ERROR_ID = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/;
const MAX_ERROR_ID_LENGTH = 128;

/** The address of a peer, and the token it expects. */
export interface PeerAddress {
  readonly remoteId: string;
  readonly siteUrl: string;
  readonly token: string;
}

/** A call to a peer failed. The message is user-facing and contains no secrets. */
export class PeerFailure extends Error {
  override readonly name = 'PeerFailure';
  constructor(
    message: string,
    /** The HTTP status of the response if that was the error, otherwise 0. */
    readonly status = 0,
    /** The error id in the response, or empty. */
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

/** Makes calls to peers that are not queued. Messages go through the dispatcher instead. */
@Injectable()
export class PeerClient {
  constructor(
    private readonly client: OutboundClient,
    private readonly settings: OutboundSettings,
  ) {}

  /** Returns the JSON object of the reply, whose status must be exactly 200. Throws PeerFailure. */
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
      if (status !== OK)
        throw new PeerFailure(`The peer responded with ${status}.`, status, errorIdOf(reply));
      if (!reply) throw new PeerFailure('The peer responded with 200, but not with a JSON object.');
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

/** The JSON object in a body, or undefined if it is something else. */
export function parseReply(body: Buffer): JsonObject | undefined {
  try {
    const decoded: unknown = JSON.parse(body.toString('utf8'));
    return isObject(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
