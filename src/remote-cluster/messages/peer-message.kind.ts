import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { OnEverywhere } from '../../platform/events/listeners.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  AlreadySettled,
  type AttemptResult,
  type DeliveryKind,
  DeliveryKinds,
  type FailedReply,
  type Judgement,
  POSTPONED,
  type Prepared,
  type Receipt,
  type SettledAttempt,
  type StoreMark,
} from '../../delivery/dispatch/delivery-kind.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { OutboundReply } from '../../delivery/outbound/outbound-client.js';
import type { JsonObject } from '../../platform/common/json.js';
import { RemoteClusterDeleted } from '../remote-cluster.events.js';
import { frameOf } from '../peer/frame.js';
import { PeerMetrics } from '../peer-metrics.js';
import { parseReply, peerHeaders } from '../peer/peer-client.js';
import { RemoteClusterTokens } from '../remote-cluster.factory.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { attemptText, PeerMessageLog, REFUSED } from './peer-message-log.js';
import { PEER_MESSAGE } from './peer-messages.service.js';
import { RefusalTracker } from './received-messages.service.js';
import { type Topic, Topics } from './topics.js';

const OK = 200;
const TOO_LARGE = 413;
const MAX_REASON_LENGTH = 200;
const OUTCOMES = { delivered: 'accepted', failed: 'refused', retrying: 'retrying' } as const;
/** Statuses with which a peer permanently refuses a message. */
const FINAL_STATUSES = new Set([400, 404, 422]);

interface SentMessage {
  readonly topic: Topic<unknown>;
  readonly peer: RemoteCluster;
  readonly payload: JsonObject;
}

/** Sends messages to peers and interprets the answers (docs/contract/secure-connections.md#messages). */
@Injectable()
export class PeerMessageKind implements DeliveryKind, OnModuleInit {
  readonly kind = PEER_MESSAGE;
  private readonly logger = new Logger(PeerMessageKind.name);
  private readonly log = new PeerMessageLog(this.logger);
  private readonly refusals = new RefusalTracker();

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly repository: RemoteClustersRepository,
    private readonly tokens: RemoteClusterTokens,
    private readonly topics: Topics,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: RemoteClusterSettings,
    private readonly metrics: PeerMetrics,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  /** Messages wait while secure connections are disabled. */
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
    if (answer?.['status'] === 'FAIL') return this.refused(delivery, answer['err']);
    if (answer?.['status'] !== 'OK')
      return { note: 'The peer did not answer 200 with a status of OK or FAIL.', refusal: 'retry' };
    this.refusals.accepted(delivery.ownerId, this.groupOf(delivery));
    if (!this.topics.find(frameOf(delivery.body).topic)?.acknowledged) return { note: '' };
    const result = answer['payload'] ?? null;
    const store = (mark: StoreMark): Promise<void> =>
      this.store(delivery, mark, ({ topic, peer, payload }) => topic.acknowledged?.(peer, payload, result));
    return { note: '', store };
  }

  /**
   * A final status counts only with a contract error body, because a proxy in front of an unreachable peer
   * may also answer 404. 413 always counts, because the message does not get smaller.
   */
  judgeFailure(_delivery: Delivery, { status, body }: FailedReply): Judgement {
    if (status === TOO_LARGE) return 'final';
    return FINAL_STATUSES.has(status) && isContractError(parseReply(body)) ? 'final' : 'endless';
  }

  giveUp(delivery: Delivery, mark: StoreMark, last: AttemptResult): Promise<void> {
    const reason = attemptText(last);
    return this.store(delivery, mark, ({ topic, peer, payload }) => topic.refused?.(peer, payload, reason));
  }

  settled(attempt: SettledAttempt): void {
    this.metrics.sent(OUTCOMES[attempt.result]);
    this.log.settled(attempt);
  }

  @OnEverywhere(RemoteClusterDeleted)
  onDeleted({ rowId }: RemoteClusterDeleted): void {
    this.refusals.forget(rowId);
    this.log.forget(rowId);
  }

  private refused(delivery: Delivery, error: unknown): Receipt {
    const isFinal = this.refusals.add(delivery.ownerId, delivery.id, this.groupOf(delivery));
    const reason = typeof error === 'string' ? error.slice(0, MAX_REASON_LENGTH) : '';
    return { note: `${REFUSED}${reason}`, refusal: isFinal ? 'final' : 'soon' };
  }

  /**
   * Runs `callback` and stores the mark in one transaction. If the database is unavailable, throws, and the dispatcher
   * retries both. If the callback fails for another reason, logs it and stores only the mark, so that a bug
   * in one topic does not block the messages behind it.
   */
  private async store(
    { id, ownerId, body }: Delivery,
    mark: StoreMark,
    callback: (message: SentMessage) => Promise<void> | undefined,
  ): Promise<void> {
    try {
      await this.unitOfWork.run(async (transaction) => {
        const { topic: name, payload } = frameOf(body);
        const topic = this.topics.find(name);
        const peer = await this.repository.findRow(ownerId);
        if (topic && peer) await callback({ topic, peer, payload: payload as JsonObject });
        await mark.run(transaction);
      });
    } catch (error) {
      if (error instanceof AlreadySettled || isDatabaseUnavailable(error)) throw error;
      this.logger.error(`The answer to the message ${id} could not be processed.`, stackOf(error));
      await this.unitOfWork.run((transaction) => mark.run(transaction));
    }
  }

  private groupOf({ id, body }: Delivery): string | undefined {
    const { topic: name, payload } = frameOf(body);
    try {
      const group = this.topics.find(name)?.groupOf?.(payload as JsonObject);
      return group === undefined ? undefined : `${name} ${group}`;
    } catch (error) {
      this.logger.error(`The group of the message ${id} could not be determined.`, stackOf(error));
      return undefined;
    }
  }
}

/** Whether this is an error body of the contract, with an id and a status. */
function isContractError(body: JsonObject | undefined): boolean {
  return typeof body?.['id'] === 'string' && typeof body['status_code'] === 'number';
}
