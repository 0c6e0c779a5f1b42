import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import type {
  Call,
  Cancellation,
  DeliveryKind,
  Receipt,
  SettledAttempt,
} from '../../dispatch/delivery-kind.js';
import { DeliveryKinds } from '../../dispatch/delivery-kinds.js';
import type { Delivery } from '../../dispatch/delivery.entity.js';
import type { OutboundReply } from '../../outbound/outbound-client.js';
import type { JsonObject } from '../../common/json.js';
import { frameOf } from '../peer/frame.js';
import { parseReply, peerHeaders } from '../peer/peer-client.js';
import { RemoteClusterTokens } from '../remote-cluster-tokens.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import { PEER_MESSAGE } from './peer-messages.service.js';
import { Topics } from './topics.js';

const OK = 200;
/** The peer cannot take this message, now or ever. */
const FINAL_STATUSES = new Set([400, 404, 413, 422]);
/** A refusal may pass: the peer says FAIL for both. After so many attempts it is believed. */
const MAX_REFUSALS = 3;

/** How messages to peers are sent, and what their answers mean (spec/remote-clusters.md 5.5). */
@Injectable()
export class PeerMessageKind implements DeliveryKind, OnModuleInit {
  readonly kind = PEER_MESSAGE;
  private readonly logger = new Logger(PeerMessageKind.name);

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly repository: RemoteClustersRepository,
    private readonly tokens: RemoteClusterTokens,
    private readonly topics: Topics,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async prepare({ ownerId, body }: Delivery): Promise<Call | Cancellation> {
    if (!this.settings.enableRemoteClusters) return { cancelled: 'switched_off' };
    const peer = await this.repository.findRow(ownerId);
    if (!peer) return { cancelled: 'connection_deleted' };
    const { topic, payload } = frameOf(body);
    if ((await this.topics.find(topic)?.isWanted?.(peer, payload as JsonObject)) === false)
      return { cancelled: 'not_wanted' };
    const token = this.tokens.remoteToken(peer);
    return { headers: peerHeaders(peer.remoteId, token), body: JSON.stringify(body), secrets: [token] };
  }

  async receive(delivery: Delivery, reply: OutboundReply): Promise<Receipt> {
    const answer = reply.status === OK && !reply.isCut ? parseReply(reply.body) : undefined;
    if (!answer) return { note: 'The peer did not answer 200 with a JSON object.', refusal: 'retry' };
    if (answer['status'] !== 'OK') {
      const isLast = delivery.attempts + 1 >= MAX_REFUSALS;
      const reason = typeof answer['err'] === 'string' ? answer['err'].slice(0, 200) : '';
      return { note: `The peer refused: ${reason}`, refusal: isLast ? 'final' : 'retry' };
    }
    const found = await this.topicOf(delivery);
    await found?.topic.acknowledged?.(found.peer, found.payload, answer['payload'] ?? null);
    return { note: '' };
  }

  judgeFailure(_delivery: Delivery, statusCode: number): 'endless' | 'final' {
    return FINAL_STATUSES.has(statusCode) ? 'final' : 'endless';
  }

  settled({ delivery, result, statusCode }: SettledAttempt): void {
    if (result !== 'failed') return;
    const { topic } = frameOf(delivery.body);
    this.logger.warn(
      `The peer of a connection refused a message of the topic ${topic}: HTTP ${statusCode}; delivery ${delivery.id}.`,
    );
    void this.topicOf(delivery)
      .then((found) => found?.topic.refused?.(found.peer, found.payload))
      .catch((error: unknown) =>
        this.logger.error(
          'A refused message was not noted.',
          error instanceof Error ? error.stack : String(error),
        ),
      );
  }

  private async topicOf({ ownerId, body }: Delivery) {
    const { topic: name, payload } = frameOf(body);
    const topic = this.topics.find(name);
    const peer = topic ? await this.repository.findRow(ownerId) : null;
    return topic && peer ? { topic, peer, payload: payload as JsonObject } : undefined;
  }
}
