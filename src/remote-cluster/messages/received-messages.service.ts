import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { Frame } from '../peer/frame.js';
import { PeerMetrics } from '../peer-metrics.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { isConfirmed } from '../remote-cluster.rules.js';
import { peerNotReached, peerTokenInvalid, RemoteClusterNotFound } from '../remote-clusters.errors.js';
import { MessageRefused, Topics } from './topics.js';

/** The response to a message (docs/contract/secure-connections.md#messages), always with HTTP 200. */
interface MessageAnswer {
  readonly status: 'OK' | 'FAIL';
  readonly err: string;
  readonly payload: JsonObject | null;
}

/** Dispatches messages from peers to their topics. */
@Injectable()
export class ReceivedMessages {
  private readonly logger = new Logger(ReceivedMessages.name);

  constructor(
    private readonly topics: Topics,
    private readonly metrics: PeerMetrics,
  ) {}

  /**
   * Throws temporary errors, such as an unavailable database: the peer gets a 503 and resends the message.
   * Throws `peerTokenInvalid` if the connection is deleted meanwhile. Accepts nothing before the handshake is
   * complete, because it may still fail.
   */
  async receive(peer: RemoteCluster, frame: Frame): Promise<MessageAnswer> {
    let outcome: 'accepted' | 'refused' | 'failed' = 'failed';
    try {
      const answer = await this.answerTo(peer, frame);
      outcome = answer.status === 'OK' ? 'accepted' : 'refused';
      return answer;
    } finally {
      this.metrics.received(outcome);
    }
  }

  private async answerTo(peer: RemoteCluster, { topic: name, payload }: Frame): Promise<MessageAnswer> {
    if (peer.state === 'confirming') throw peerNotReached();
    if (!isConfirmed(peer)) return fail('The connection is not confirmed.');
    const topic = this.topics.find(name);
    if (!topic) return { status: 'OK', err: '', payload: null };
    try {
      return { status: 'OK', err: '', payload: await topic.receive(peer, topic.parse(payload)) };
    } catch (error) {
      if (error instanceof MessageRefused) return fail(error.message);
      if (error instanceof RemoteClusterNotFound) throw peerTokenInvalid();
      if (isDatabaseUnavailable(error) || (error instanceof AppError && error.status === 503)) throw error;
      this.logger.error(`A message of the topic ${name.slice(0, 64)} failed.`, stackOf(error));
      return fail('The message could not be processed.');
    }
  }
}

function fail(err: string): MessageAnswer {
  return { status: 'FAIL', err, payload: null };
}

/** A peer answers FAIL for temporary errors too. Its answer is final after this many in a row. */
const MAX_REFUSALS = 3;
const MAX_GROUPS = 1_000;

interface PeerState {
  /** The last refused message and its number of refusals. One is enough: messages to a peer are sent one at a time. */
  messageId: string;
  count: number;
  /** Groups with a finally refused message and no accepted one since. */
  readonly groups: Set<string>;
}

/** Decides when a peer's FAIL is final. Keyed by the row of the connection; kept in memory only. */
export class RefusalTracker {
  private readonly peers = new Map<string, PeerState>();

  /** Counts a refusal. Returns true if it is final: the third in a row, or in an already refused group. */
  add(rowId: string, messageId: string, group: string | undefined): boolean {
    const peer = this.stateOf(rowId);
    peer.count = peer.messageId === messageId ? peer.count + 1 : 1;
    peer.messageId = messageId;
    const isKnown = group !== undefined && peer.groups.has(group);
    if (peer.count < MAX_REFUSALS && !isKnown) return false;
    if (group !== undefined && peer.groups.size < MAX_GROUPS) peer.groups.add(group);
    return true;
  }

  /** The peer has accepted a message of the group. */
  accepted(rowId: string, group: string | undefined): void {
    if (group !== undefined) this.peers.get(rowId)?.groups.delete(group);
  }

  forget(rowId: string): void {
    this.peers.delete(rowId);
  }

  private stateOf(rowId: string): PeerState {
    let peer = this.peers.get(rowId);
    if (!peer) this.peers.set(rowId, (peer = { messageId: '', count: 0, groups: new Set() }));
    return peer;
  }
}
