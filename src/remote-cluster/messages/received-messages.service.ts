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

/** The answer to a message (docs/contract/secure-connections.md#messages): always HTTP 200. */
export interface MessageAnswer {
  readonly status: 'OK' | 'FAIL';
  readonly err: string;
  readonly payload: JsonObject | null;
}

/** Passes the messages of peers to their topics. */
@Injectable()
export class ReceivedMessages {
  private readonly logger = new Logger(ReceivedMessages.name);

  constructor(
    private readonly topics: Topics,
    private readonly metrics: PeerMetrics,
  ) {}

  /**
   * Throws temporary errors, such as an unavailable database: the peer gets a 503 and sends the message again. Throws
   * `peerTokenInvalid` if the connection is deleted meanwhile. Accepts nothing before the handshake is complete, because it
   * may still fail.
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
