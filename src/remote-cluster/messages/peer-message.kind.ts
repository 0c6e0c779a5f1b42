import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import {
  type AttemptResult,
  type DeliveryKind,
  DeliveryKinds,
  type FailedReply,
  isAlreadySettled,
  type RetryPolicy,
  type OutcomeStatements,
  POSTPONED,
  type Prepared,
  type Receipt,
  type SettledAttempt,
} from '../../delivery/dispatch/delivery-kind.js';
import { visible } from '../../platform/common/visible.js';
import { frameOf } from '../peer/frame.js';
import { OnEverywhere } from '../../platform/events/listeners.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { OutboundReply } from '../../delivery/outbound/outbound-client.js';
import type { JsonObject } from '../../platform/common/json.js';
import { RemoteClusterDeleted } from '../remote-cluster.events.js';
import { PeerMetrics } from '../peer-metrics.js';
import { parseReply, peerHeaders } from '../peer/peer-client.js';
import { RemoteClusterTokens } from '../remote-cluster-tokens.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { PEER_MESSAGE } from './peer-messages.service.js';
import { type Topic, Topics } from './topics.js';

/** The prefix of an attempt's note if the peer has refused the message. */
export const REFUSED = 'The peer refused: ';

/** Why a peer did not accept a message, for users: the peer's reason, or the error of the call. */
export function attemptText({ statusCode, errorClass, note }: AttemptResult): string {
  if (note.startsWith(REFUSED)) return visible(note);
  return visible([errorClass || `HTTP ${statusCode}`, note].filter((part) => part !== '').join(': '));
}

const OK = 200;
const TOO_LARGE = 413;
const MAX_REASON_LENGTH = 200;
const OUTCOMES = { delivered: 'accepted', failed: 'refused', retrying: 'retrying' } as const;
const FINAL_STATUSES = new Set([400, 404, 422]);

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
class RefusalTracker {
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
  private readonly refusals = new RefusalTracker();
  /** Row ids of connections whose last message was not accepted. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly kinds: DeliveryKinds,
    private readonly repository: RemoteClustersRepository,
    private readonly tokens: RemoteClusterTokens,
    private readonly topics: Topics,
    private readonly unitOfWork: UnitOfWork,
    private readonly commits: CommitEngine,
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
      return { note: 'The peer did not respond with 200 and a status of OK or FAIL.', refusal: 'retry' };
    this.refusals.accepted(delivery.ownerId, this.groupOf(delivery));
    if (!this.topics.find(frameOf(delivery.body).topic)?.acknowledged) return { note: '' };
    const result = answer['payload'] ?? null;
    const store = (outcome: OutcomeStatements): Promise<void> =>
      this.store(delivery, outcome, ({ topic, peer, payload }) =>
        topic.acknowledged?.(peer, payload, result),
      );
    return { note: '', store };
  }

  /**
   * A final status counts only with a contract error body, because a proxy in front of an unreachable peer
   * may also answer 404. 413 always counts, because the message does not get smaller.
   */
  retryPolicyFor(_delivery: Delivery, { status, body }: FailedReply): RetryPolicy {
    if (status === TOO_LARGE) return 'final';
    return FINAL_STATUSES.has(status) && isContractError(parseReply(body)) ? 'final' : 'endless';
  }

  giveUp(delivery: Delivery, outcome: OutcomeStatements, last: AttemptResult): Promise<void> {
    const reason = attemptText(last);
    return this.store(delivery, outcome, ({ topic, peer, payload }) =>
      topic.refused?.(peer, payload, reason),
    );
  }

  settled(attempt: SettledAttempt): void {
    this.metrics.sent(OUTCOMES[attempt.result]);
    this.log(attempt);
  }

  @OnEverywhere(RemoteClusterDeleted)
  onDeleted({ rowId }: RemoteClusterDeleted): void {
    this.refusals.forget(rowId);
    this.failing.delete(rowId);
  }

  /** Logs once when a peer stops accepting messages, and once when it accepts them again. */
  private log({
    delivery: { id, ownerId, body },
    result,
    statusCode,
    errorClass,
    note,
  }: SettledAttempt): void {
    const { remoteId, topic } = frameOf(body);
    const answer = [errorClass || `HTTP ${statusCode}`, note].filter((part) => part !== '').join(': ');
    if (result === 'failed') {
      this.logger.warn(
        `The peer of the connection ${remoteId} rejected a message of the topic ${topic} permanently (${answer}); delivery ${id}.`,
      );
    } else if (result === 'retrying') {
      // A peer that refuses one message may still accept others.
      if (this.failing.has(ownerId) || note.startsWith(REFUSED)) return;
      this.failing.add(ownerId);
      this.logger.warn(
        `The peer of the connection ${remoteId} does not accept messages (${answer}); they wait and will be resent.`,
      );
    } else if (this.failing.delete(ownerId)) {
      this.logger.log(`The peer of the connection ${remoteId} accepts messages again.`);
    }
  }

  private refused(delivery: Delivery, error: unknown): Receipt {
    const isFinal = this.refusals.add(delivery.ownerId, delivery.id, this.groupOf(delivery));
    const reason = typeof error === 'string' ? error.slice(0, MAX_REASON_LENGTH) : '';
    return { note: `${REFUSED}${reason}`, refusal: isFinal ? 'final' : 'soon' };
  }

  /**
   * Runs `callback` and stores the outcome in one transaction. If the database is unavailable, throws, and the dispatcher
   * retries both. If the callback fails for another reason, logs it and stores only the outcome, so that a bug
   * in one topic does not block the messages behind it.
   */
  private async store(
    { id, ownerId, body }: Delivery,
    outcome: OutcomeStatements,
    callback: (message: SentMessage) => Promise<void> | undefined,
  ): Promise<void> {
    try {
      await this.unitOfWork.run(async () => {
        const { topic: name, payload } = frameOf(body);
        const topic = this.topics.find(name);
        const peer = await this.repository.findRow(ownerId);
        if (topic && peer) await callback({ topic, peer, payload: payload as JsonObject });
        await this.commits.run(...outcome());
      });
    } catch (error) {
      if (isAlreadySettled(error) || isDatabaseUnavailable(error)) throw error;
      this.logger.error(`The response to the message ${id} could not be processed.`, stackOf(error));
      await this.commits.run(...outcome());
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
