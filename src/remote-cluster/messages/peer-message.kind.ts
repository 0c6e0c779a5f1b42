import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { On } from '../../platform/events/listeners.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  AlreadySettled,
  type DeliveryKind,
  type FailedReply,
  type Judgement,
  POSTPONED,
  type Prepared,
  type Receipt,
  type SettledAttempt,
  type StoreMark,
} from '../../delivery/dispatch/delivery-kind.js';
import { DeliveryKinds } from '../../delivery/dispatch/delivery-kinds.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { OutboundReply } from '../../delivery/outbound/outbound-client.js';
import type { JsonObject } from '../../platform/common/json.js';
import { RemoteClusterDeleted } from '../events/remote-cluster-deleted.event.js';
import { frameOf } from '../peer/frame.js';
import { parseReply, peerHeaders } from '../peer/peer-client.js';
import { RemoteClusterTokens } from '../remote-cluster-tokens.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { PEER_MESSAGE } from './peer-messages.service.js';
import { Refusals } from './refusals.js';
import { type Topic, Topics } from './topics.js';

const OK = 200;
const TOO_LARGE = 413;
const REFUSED = 'The peer refused: ';
/** The peer cannot take this message, now or ever. */
const FINAL_STATUSES = new Set([400, 404, 422]);

/** A message of ours, and what is known of both ends. */
interface Sent {
  readonly topic: Topic<unknown>;
  readonly peer: RemoteCluster;
  readonly sent: JsonObject;
}

/** How messages to peers are sent, and what their answers mean (docs/contract/secure-connections.md#messages). */
@Injectable()
export class PeerMessageKind implements DeliveryKind, OnModuleInit {
  readonly kind = PEER_MESSAGE;
  private readonly logger = new Logger(PeerMessageKind.name);
  private readonly refusals = new Refusals();
  /** The connections whose last message was not taken, by row. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly repository: RemoteClustersRepository,
    private readonly tokens: RemoteClusterTokens,
    private readonly topics: Topics,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: RemoteClusterSettings,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  /** While connections are switched off messages wait. */
  async prepare({ ownerId, body }: Delivery): Promise<Prepared> {
    if (!this.settings.enableRemoteClusters) return POSTPONED;
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
    const { id, ownerId } = delivery;
    if (answer?.['status'] === 'FAIL') {
      const isLast = this.refusals.add(ownerId, id, this.groupOf(delivery));
      const reason = typeof answer['err'] === 'string' ? answer['err'].slice(0, 200) : '';
      return { note: `${REFUSED}${reason}`, refusal: isLast ? 'final' : 'soon' };
    }
    if (answer?.['status'] !== 'OK')
      return { note: 'The peer did not answer 200 with a status of OK or FAIL.', refusal: 'retry' };
    this.refusals.taken(ownerId, this.groupOf(delivery));
    if (!this.topics.find(frameOf(delivery.body).topic)?.acknowledged) return { note: '' };
    const payload = answer['payload'] ?? null;
    const store = (mark: StoreMark): Promise<void> =>
      this.store(delivery, mark, ({ topic, peer, sent }) => topic.acknowledged?.(peer, sent, payload));
    return { note: '', store };
  }

  /**
   * A refusal is final when the peer itself has said it: whatever stands before a peer that is away, such as an ingress,
   * answers 404 as well, but not with the contract's error. A message that is too large stays so.
   */
  judgeFailure(_delivery: Delivery, { status, body }: FailedReply): Judgement {
    if (status === TOO_LARGE) return 'final';
    return FINAL_STATUSES.has(status) && isContractError(parseReply(body)) ? 'final' : 'endless';
  }

  giveUp(delivery: Delivery, mark: StoreMark): Promise<void> {
    return this.store(delivery, mark, ({ topic, peer, sent }) => topic.refused?.(peer, sent));
  }

  /** Says once that a peer takes no messages, and once that it does again. One that refuses a message is there. */
  settled({ delivery: { id, ownerId, body }, result, statusCode, errorClass, note }: SettledAttempt): void {
    const { remoteId, topic } = frameOf(body);
    const answer = [errorClass || `HTTP ${statusCode}`, note].filter((part) => part !== '').join(': ');
    if (result === 'failed') {
      this.logger.warn(
        `The peer of the connection ${remoteId} refused a message of the topic ${topic} for good (${answer}); delivery ${id}.`,
      );
    } else if (result === 'retrying') {
      if (this.failing.has(ownerId) || note.startsWith(REFUSED)) return;
      this.failing.add(ownerId);
      this.logger.warn(
        `The peer of the connection ${remoteId} takes no messages (${answer}); they wait, and are sent again.`,
      );
    } else if (this.failing.delete(ownerId)) {
      this.logger.log(`The peer of the connection ${remoteId} takes messages again.`);
    }
  }

  @On(RemoteClusterDeleted)
  onDeleted({ rowId }: RemoteClusterDeleted): void {
    this.refusals.forget(rowId);
    this.failing.delete(rowId);
  }

  /**
   * The mark and what follows from it are one transaction; while the database is away neither is stored, and both are
   * tried again. A bug in a topic must not hold up what comes later: then the mark is stored alone.
   */
  private async store(
    { id, ownerId, body }: Delivery,
    mark: StoreMark,
    follow: (message: Sent) => Promise<void> | undefined,
  ): Promise<void> {
    try {
      await this.unitOfWork.run(async (transaction) => {
        const { topic: name, payload } = frameOf(body);
        const topic = this.topics.find(name);
        const peer = await this.repository.findRow(ownerId);
        if (topic && peer) await follow({ topic, peer, sent: payload as JsonObject });
        await mark(transaction);
      });
    } catch (error) {
      if (error instanceof AlreadySettled || isDatabaseUnavailable(error)) throw error;
      this.logger.error(`What follows from the answer to the message ${id} failed.`, stackOf(error));
      await this.unitOfWork.run((transaction) => mark(transaction));
    }
  }

  private groupOf({ id, body }: Delivery): string | undefined {
    const { topic: name, payload } = frameOf(body);
    try {
      const group = this.topics.find(name)?.groupOf?.(payload as JsonObject);
      return group === undefined ? undefined : `${name} ${group}`;
    } catch (error) {
      this.logger.error(`What the message ${id} is about is not known.`, stackOf(error));
      return undefined;
    }
  }
}

/** The errors of the contract: an object with an id and the status. */
function isContractError(body: JsonObject | undefined): boolean {
  return typeof body?.['id'] === 'string' && typeof body['status_code'] === 'number';
}
