import { Injectable } from '@nestjs/common';
import { On } from '../../platform/events/listeners.js';
import { Clock } from '../../platform/common/clock.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { RowsToInsert } from '../../platform/database/rows.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import { orderedLane } from '../../delivery/dispatch/delivery-kind.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { RemoteClusterCameOnline, RemoteClusterConfirmed } from '../remote-cluster.events.js';
import { frameOf, newFrame } from '../peer/frame.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { peerApiUrl } from '../remote-cluster.rules.js';

/** The delivery kind of messages to peers. */
export const PEER_MESSAGE = 'peer_message';

export interface PeerMessage {
  readonly topic: string;
  readonly payload: JsonObject;
  /** The id of the message's subject, such as a post. */
  readonly subjectId: string;
}

export interface AddressedMessage {
  readonly peer: RemoteCluster;
  readonly message: PeerMessage;
}

/**
 * Sends messages to peers. Each is stored first; the dispatcher sends them to each peer one at a time, in
 * order, and keeps retrying while the peer is offline (docs/contract/secure-connections.md#messages).
 */
@Injectable()
export class PeerMessages {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly clock: Clock,
  ) {}

  /** Stores a message, in the open unit of work if there is one. It is sent after the commit. Returns the stored row. */
  async send(peer: RemoteCluster, message: PeerMessage): Promise<Delivery> {
    const delivery = this.build({ peer, message });
    await this.deliveries.store([delivery]);
    return delivery;
  }

  /** Messages as companions of a post: stored with it, and sent after its commit. */
  companionOf(messages: readonly AddressedMessage[]): RowsToInsert {
    return this.deliveries.companionOf(messages.map((message) => this.build(message)));
  }

  /**
   * Takes the first matching messages of a topic that the peer has refused, so that the caller can resend
   * them. Each is returned once. Joins the open unit of work.
   */
  async takeRefused(
    peer: RemoteCluster,
    topic: string,
    matches: (payload: JsonObject) => boolean,
    limit: number,
  ): Promise<Pick<PeerMessage, 'payload' | 'subjectId'>[]> {
    const payloadOf = ({ body }: Delivery): JsonObject => frameOf(body).payload as JsonObject;
    const taken = await this.deliveries.takeRefused(
      laneOf(peer.id),
      (delivery) => frameOf(delivery.body).topic === topic && matches(payloadOf(delivery)),
      limit,
    );
    return taken.map((delivery) => ({ payload: payloadOf(delivery), subjectId: delivery.subjectId }));
  }

  /** Withdraws waiting messages about these subjects and forgets sent ones. Joins the open unit of work. */
  async withdraw(subjectIds: readonly string[]): Promise<void> {
    await this.deliveries.forget(PEER_MESSAGE, subjectIds);
  }

  @On(RemoteClusterCameOnline)
  @On(RemoteClusterConfirmed)
  onPeerOnline({ rowId }: RemoteClusterCameOnline | RemoteClusterConfirmed): void {
    this.deliveries.wake(laneOf(rowId));
  }

  /** The peer has answered a ping: immediately sends messages waiting after a failure. */
  peerAnswers(rowId: string): void {
    this.deliveries.resume(laneOf(rowId));
  }

  private build({ peer, message: { topic, payload, subjectId } }: AddressedMessage): Delivery {
    return this.deliveries.build({
      kind: PEER_MESSAGE,
      ownerId: peer.id,
      subjectId,
      url: peerApiUrl(peer.siteUrl, 'msg'),
      body: newFrame(peer.remoteId, topic, this.clock.now(), payload),
      contentType: 'application/json',
      lane: laneOf(peer.id),
    });
  }
}

/** The lane of the messages to a peer, by the row of the connection. */
export function laneOf(rowId: string): string {
  return orderedLane(`peer:${rowId}`);
}
