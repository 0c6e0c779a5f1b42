import { Injectable } from '@nestjs/common';
import { timeOfSequence } from '../platform/common/sequence.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { attemptText } from '../remote-cluster/messages/peer-message.kind.js';
import { laneOf } from '../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { Channel } from '../messaging/channels/channel.entity.js';
import { SharedChannelRemote } from './shared-channel.entity.js';

/** At most this many waiting messages of a connection are counted. */
export const MAX_COUNTED = 1_000;

export interface ChannelLag {
  /** Posts, edits and deletions. */
  readonly count: number;
  /** When the oldest one was stored; 0 if none. */
  readonly oldestAt: number;
  readonly isInviteWaiting: boolean;
}

/** The messages that a peer has not confirmed yet. */
export interface ConnectionLag {
  readonly channels: ReadonlyMap<string, ChannelLag>;
  readonly isCut: boolean;
  /** Why the last attempt to send the first message failed; empty if there was none. */
  readonly error: string;
}

interface ChannelRow {
  readonly channel_id: string;
  readonly messages: number | string;
  readonly posts: number | string;
  readonly first_seq: number | string | null;
}

interface AttemptRow {
  readonly status_code: number;
  readonly error_class: string;
  readonly note: string;
}

/** The waiting messages of one lane, in sending order. */
const waiting = (columns: string, limit: number): string =>
  `SELECT ${columns} FROM deliveries WHERE status = 'pending' AND lane = ? ORDER BY next_attempt_at, seq LIMIT ${limit}`;

/** Joins shares with channels, and the messages that wait for a peer with posts. Raw SQL where it joins a limited subquery. */
@Injectable()
export class SharedChannelsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The messages that wait for a peer, by channel: messages are about posts, invites about channels. */
  async lagOf({ id }: RemoteCluster): Promise<ConnectionLag> {
    const lane = laneOf(id);
    const rows = await this.unitOfWork.manager.query<ChannelRow[]>(
      `SELECT COALESCE(post.channel_id, message.subject_id) AS channel_id, COUNT(*) AS messages, COUNT(post.id) AS posts,
         MIN(CASE WHEN post.id IS NULL THEN NULL ELSE message.seq END) AS first_seq
       FROM (${waiting('subject_id, seq', MAX_COUNTED)}) AS message LEFT JOIN posts post ON post.id = message.subject_id
       GROUP BY COALESCE(post.channel_id, message.subject_id)`,
      [lane],
    );
    const total = rows.reduce((sum, { messages }) => sum + Number(messages), 0);
    return {
      channels: new Map(rows.map((row) => [row.channel_id, channelLagOf(row)])),
      isCut: total >= MAX_COUNTED,
      error: total > 0 ? await this.lastError(lane) : '',
    };
  }

  /** Counts unarchived channels that came over a connection, including ones that are no longer shared. */
  countChannels(remoteId: string): Promise<number> {
    return this.unitOfWork.manager
      .getRepository(SharedChannelRemote)
      .createQueryBuilder('share')
      .innerJoin(Channel, 'channel', 'channel.id = share.channelId AND channel.deleteAt = 0')
      .where('share.remoteId = :remoteId AND share.isFromPeer = :yes', { remoteId, yes: true })
      .getCount();
  }

  /** Messages to a peer are sent in order, so the first one shows what blocks the rest. */
  private async lastError(lane: string): Promise<string> {
    const [attempt] = await this.unitOfWork.manager.query<AttemptRow[]>(
      `SELECT attempt.status_code, attempt.error_class, attempt.note FROM (${waiting('id, attempts', 1)}) AS message
       JOIN delivery_attempts attempt ON attempt.delivery_id = message.id AND attempt.number = message.attempts`,
      [lane],
    );
    if (!attempt) return '';
    const { status_code: statusCode, error_class: errorClass, note } = attempt;
    return attemptText({ statusCode, errorClass, note });
  }
}

function channelLagOf({ messages, posts, first_seq: seq }: ChannelRow): ChannelLag {
  return {
    count: Number(posts),
    oldestAt: seq === null ? 0 : timeOfSequence(Number(seq)),
    isInviteWaiting: Number(messages) > Number(posts),
  };
}
