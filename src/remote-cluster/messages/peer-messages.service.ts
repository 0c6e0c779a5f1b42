import { Injectable } from '@nestjs/common';
import { On } from '../../platform/events/listeners.js';
import { Clock } from '../../platform/common/clock.js';
import type { JsonObject } from '../../platform/common/json.js';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { orderedLane } from '../../delivery/dispatch/lane-name.js';
import { RemoteClusterCameOnline } from '../events/remote-cluster-came-online.event.js';
import { RemoteClusterConfirmed } from '../events/remote-cluster-confirmed.event.js';
import { frameOf, newFrame } from '../peer/frame.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { peerApiUrl } from '../site-url.js';

/** The kind of a delivery that is a message to a peer. */
export const PEER_MESSAGE = 'peer_message';

/** A message to be sent. */
export interface NewMessage {
  readonly topic: string;
  readonly payload: JsonObject;
  /** What it is about, such as the post. */
  readonly subjectId: string;
}

/**
 * Messages to peers: a row first, then the dispatcher sends them, one after the other for each peer, for as long as the
 * peer is away (docs/contract/secure-connections.md#messages).
 */
@Injectable()
export class PeerMessages {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly clock: Clock,
  ) {}

  /** A row for the caller's transaction; after the commit it is to be handed to `dispatch`. */
  build(peer: RemoteCluster, { topic, payload, subjectId }: NewMessage): Delivery {
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

  dispatch(rows: readonly Delivery[]): void {
    this.deliveries.dispatch(rows);
  }

  /** Stores messages with the open unit of work; they are sent once it has committed. */
  async send(rows: readonly Delivery[]): Promise<void> {
    if (rows.length === 0) return;
    await this.deliveries.store(rows);
  }

  /** Messages of a topic that the peer has refused, and the caller sends anew. Joins the open unit of work. */
  async takeRefused(
    peer: RemoteCluster,
    topic: string,
    isMeant: (payload: JsonObject) => boolean,
  ): Promise<Pick<NewMessage, 'payload' | 'subjectId'>[]> {
    const sentOf = ({ body }: Delivery): JsonObject => frameOf(body).payload as JsonObject;
    const taken = await this.deliveries.takeRefused(
      laneOf(peer.id),
      (delivery) => frameOf(delivery.body).topic === topic && isMeant(sentOf(delivery)),
    );
    return taken.map((delivery) => ({ payload: sentOf(delivery), subjectId: delivery.subjectId }));
  }

  /** What has waited for the peer goes on at once. */
  @On(RemoteClusterCameOnline)
  @On(RemoteClusterConfirmed)
  onPeerIsBack({ rowId }: RemoteClusterCameOnline | RemoteClusterConfirmed): void {
    this.deliveries.wake(laneOf(rowId));
  }

  /** The peer has answered a ping: what waits for it after a failure goes on at once. */
  peerAnswers(rowId: string): void {
    this.deliveries.resume(laneOf(rowId));
  }
}

function laneOf(rowId: string): string {
  return orderedLane(`peer:${rowId}`);
}
