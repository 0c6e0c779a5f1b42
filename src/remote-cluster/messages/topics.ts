import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../platform/common/json.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';

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
  /** Validates the payload. Throws MessageRefused. */
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

/** The topics of this server. */
@Injectable()
export class Topics {
  private readonly topics = new Map<string, Topic<unknown>>();

  /** Throws if the name is taken. */
  register<Payload>(topic: Topic<Payload>): void {
    if (this.topics.has(topic.name)) throw new Error(`The topic ${topic.name} is registered twice.`);
    this.topics.set(topic.name, topic);
  }

  find(name: string): Topic<unknown> | undefined {
    return this.topics.get(name);
  }
}
