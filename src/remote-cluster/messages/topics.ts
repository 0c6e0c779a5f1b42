import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../platform/common/json.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';

/** The payload of a message is not what its topic takes, or must not come from this peer. The sender gets the sentence. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}

/**
 * A kind of message between servers. A module registers its topics at start; peers that do not know a topic answer OK
 * and do nothing.
 */
export interface Topic<Payload> {
  readonly name: string;
  /** The validated payload. Throws MessageRefused. */
  parse(payload: unknown): Payload;
  /**
   * Takes a message of a peer; what it returns is the `payload` of the answer. The same message may come twice. Throws
   * MessageRefused when it cannot be taken for good; whatever else it throws is told as a failure that may pass.
   */
  receive(peer: RemoteCluster, payload: Payload): Promise<JsonObject | null>;
  /**
   * A peer has taken a message of ours, and answered with that `payload`. The same answer may come twice. Runs in the
   * unit of work that marks the message as delivered, and may run again when that loses a race.
   */
  acknowledged?(peer: RemoteCluster, sent: JsonObject, answer: unknown): Promise<void>;
  /** A message of ours is given up. Runs in the unit of work that marks it as failed, like `acknowledged`. */
  refused?(peer: RemoteCluster, sent: JsonObject): Promise<void>;
  /** Whether a message that waits is still to be sent; yes without it. */
  isWanted?(peer: RemoteCluster, sent: JsonObject): Promise<boolean>;
  /**
   * What a message is about, such as a channel. When a peer has refused one for good, it is asked but once about others
   * of the same group, until it takes one.
   */
  groupOf?(sent: JsonObject): string;
}

/** The topics that this server knows. */
@Injectable()
export class Topics {
  private readonly topics = new Map<string, Topic<unknown>>();

  /** Throws when the name is taken. */
  register<Payload>(topic: Topic<Payload>): void {
    if (this.topics.has(topic.name)) throw new Error(`There is a topic ${topic.name} already.`);
    this.topics.set(topic.name, topic);
  }

  find(name: string): Topic<unknown> | undefined {
    return this.topics.get(name);
  }
}
