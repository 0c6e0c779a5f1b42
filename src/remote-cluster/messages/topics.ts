import { Injectable, Logger } from '@nestjs/common';
import type { JsonObject } from '../../platform/common/json.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import type { Frame } from '../peer/frame.js';
import { PeerMetrics } from '../peer-metrics.js';
import { isConfirmed } from '../remote-cluster.rules.js';
import { peerNotReached, peerTokenInvalid, RemoteClusterNotFound } from '../remote-clusters.errors.js';

/** The message is invalid, or this peer may not send it. The peer receives the error text. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}

/**
 * A kind of message between servers. Modules register their topics at startup. A peer that does not know a
 * topic answers OK and ignores the message.
 */
export interface Topic<Payload> {
  readonly name: string;
  parse(payload: unknown): Payload;
  /**
   * Processes a message from a peer and returns the `payload` of the response. The same message may arrive
   * twice. Throws MessageRefused if it can never be accepted.
   */
  receive(peer: RemoteCluster, payload: Payload): Promise<JsonObject | null>;
  /**
   * Called when a peer has accepted a message, with the `payload` of its response. Runs in the unit of work
   * that marks the message as delivered, possibly more than once.
   */
  acknowledged?(peer: RemoteCluster, sent: JsonObject, answer: unknown): Promise<void>;
  /**
   * Called when a message is given up, with the peer's reason. Runs in the unit of work that marks it as
   * failed, possibly more than once.
   */
  refused?(peer: RemoteCluster, sent: JsonObject, reason: string): Promise<void>;
  /** Whether a waiting message should still be sent; always sent if not implemented. */
  isWanted?(peer: RemoteCluster, sent: JsonObject): Promise<boolean>;
  /**
   * The subject of a message, such as a channel. After a peer has permanently refused a message, others of
   * its group are tried only once each, until the peer accepts one.
   */
  groupOf?(sent: JsonObject): string;
}

/** The response to a message (docs/contract/secure-connections.md#messages), always with HTTP 200. */
interface MessageAnswer {
  readonly status: 'OK' | 'FAIL';
  readonly err: string;
  readonly payload: JsonObject | null;
}

/** The topics of this server: dispatches messages from peers to them. */
@Injectable()
export class Topics {
  private readonly logger = new Logger(Topics.name);
  private readonly topics = new Map<string, Topic<unknown>>();

  constructor(private readonly metrics: PeerMetrics) {}

  register<Payload>(topic: Topic<Payload>): void {
    if (this.topics.has(topic.name)) throw new Error(`The topic ${topic.name} is registered twice.`);
    this.topics.set(topic.name, topic);
  }

  find(name: string): Topic<unknown> | undefined {
    return this.topics.get(name);
  }

  /**
   * Throws temporary errors, such as an unavailable database: the peer gets a 503 and resends the message.
   * Throws `peerTokenInvalid` if the connection has just been deleted. Accepts nothing before the handshake is
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
    const topic = this.topics.get(name);
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
