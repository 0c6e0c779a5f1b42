import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../platform/common/clock.js';
import { isId } from '../../../platform/common/ids.js';
import { API_VERSION } from '../../../platform/common/version.js';
import { PostPermission } from '../../posts/posts.policy.js';
import type { Actor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import { StatusesService } from '../../users/statuses/statuses.service.js';
import type { LiveConnection } from '../connections/live-connection.js';
import { type ClientFrame, failReply, type LiveData, okReply } from '../live-event.js';
import { LiveTopics } from '../topics/live-topics.js';
import { badSequence, invalidFrameParam, noAction, notAuthenticated, unknownAction } from '../live.errors.js';
import type { TypingDto } from '../live.controller.js';
import { LiveLimits } from '../live-limits.js';
import { LiveRelay } from '../others/posts-of-others.js';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { AppError } from '../../../platform/common/errors/app-error.js';
import {
  DatabaseUnavailable,
  internalError,
  InvalidBodyParam,
} from '../../../platform/common/errors/common-errors.js';
import { Settings } from '../../../platform/config/settings.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { CloseCode, type LiveSocket } from '../connections/live-socket.js';
import { LiveAuthentication } from '../live-authentication.js';

const AWAY_AFTER_MS = 300_000;
const MAX_STATUS_IDS = 1_000;

type Action = (userId: string, data: LiveData) => LiveData | undefined | Promise<LiveData | undefined>;

/** Answers the frames of clients and performs their actions (docs/contract/messaging.md#live-frames). */
@Injectable()
export class LiveActions {
  private readonly logger = new Logger(LiveActions.name);
  private readonly actions: ReadonlyMap<string, Action>;
  /** When typing was last announced, by user and channel. */
  private readonly typed = new LRUCache<string, number>({ max: 10_000 });

  constructor(
    private readonly relay: LiveRelay,
    private readonly limits: LiveLimits,
    private readonly topics: LiveTopics,
    private readonly permissions: PermissionsService,
    private readonly statuses: StatusesService,
    private readonly clock: Clock,
    private readonly authentication: LiveAuthentication,
    private readonly settings: Settings,
  ) {
    this.actions = new Map<string, Action>([
      ['ping', () => this.ping()],
      ['user_typing', (userId, data) => this.userTyping(userId, data)],
      ['get_statuses', () => this.getStatuses()],
      ['get_statuses_by_ids', (_userId, data) => this.getStatusesByIds(data)],
      ['user_update_active_status', (userId, data) => this.updateActiveStatus(userId, data)],
      // Clients report the open channel and displayed notifications; the server needs neither.
      ['presence', () => undefined],
      ['posted_notify_ack', () => undefined],
    ]);
  }

  /** Sends the reply, including for errors. Never throws. */
  async answer(socket: LiveSocket, frame: ClientFrame): Promise<void> {
    try {
      if (frame.action === '') throw noAction();
      if (frame.seq <= 0) throw badSequence();
      if (frame.action === 'authentication_challenge') return await this.challenge(socket, frame);
      if (!socket.connection) throw notAuthenticated();
      await this.authentication.endExpired();
      if (!socket.isOpen) return;
      const data = await this.perform(socket.connection, frame.action, frame.data);
      socket.send(okReply(frame.seq, data));
    } catch (error) {
      socket.send(failReply(frame.seq, this.toAppError(frame, error), this.settings.developerMode));
    }
  }

  /** A call over HTTP. Throws `permissionDenied`, even if the channel is unknown. */
  async type(
    actor: Actor,
    userId: string,
    { channel_id: channelId, parent_id: parentId }: TypingDto,
  ): Promise<void> {
    await this.permissions.requireSelfOr(actor, userId, CommonPermission.ManageSystem);
    if (!isId(channelId)) throw new InvalidBodyParam('channel_id', 'it must be 26 letters and digits');
    await this.permissions.require(actor, PostPermission.CreatePost, { channelId });
    this.publishTyping(userId, channelId, parentId);
  }

  private async challenge(socket: LiveSocket, { seq, data }: ClientFrame): Promise<void> {
    if (socket.connection) return socket.send(okReply(seq)); // already signed in by cookie
    const token = data['token'];
    const proof = typeof token === 'string' ? await this.authentication.prove(token) : null;
    if (!proof) return socket.close(CloseCode.PolicyViolation, 'The token is not valid.');
    if (!socket.isOpen) return;
    socket.send(okReply(seq));
    this.authentication.admitLate(socket, proof);
  }

  private toAppError({ action }: ClientFrame, error: unknown): AppError {
    if (error instanceof AppError) return error;
    if (isDatabaseUnavailable(error)) return new DatabaseUnavailable(error);
    this.logger.error(`The action ${action.slice(0, 64)} failed.`, stackOf(error));
    return internalError();
  }

  private async perform(
    connection: LiveConnection,
    action: string,
    data: LiveData,
  ): Promise<LiveData | undefined> {
    const perform = this.actions.get(action);
    if (perform) return perform(connection.user.id, data);
    if (!(await this.topics.perform(connection, action))) throw unknownAction();
    return undefined;
  }

  private ping(): LiveData {
    return { text: 'pong', version: API_VERSION, server_time: this.clock.now(), node_id: '' };
  }

  private async userTyping(userId: string, data: LiveData): Promise<undefined> {
    const { channel_id: channelId, parent_id: parentId } = data;
    if (!isId(channelId)) throw invalidFrameParam('channel_id');
    const subject = await this.permissions.subject(userId);
    if (!(await this.permissions.has(subject, PostPermission.CreatePost, { channelId }))) {
      throw invalidFrameParam('channel_id');
    }
    this.publishTyping(userId, channelId, parentId);
    return undefined;
  }

  private publishTyping(userId: string, channelId: string, parentId: unknown): void {
    const key = `${userId} ${channelId}`;
    const now = performance.now();
    if (now - (this.typed.get(key) ?? -Infinity) < this.limits.typingEveryMs) return;
    this.typed.set(key, now);
    this.relay.send(
      'typing',
      { channelId, isContent: true, omitUsers: [userId] },
      { user_id: userId, parent_id: isId(parentId) ? parentId : '' },
    );
  }

  private getStatuses(): LiveData {
    const byStatus = Object.entries(this.statuses.presence());
    return Object.fromEntries(byStatus.flatMap(([status, ids]) => ids.map((id) => [id, status])));
  }

  private getStatusesByIds({ user_ids: ids }: LiveData): LiveData {
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_STATUS_IDS || !ids.every(isId)) {
      throw invalidFrameParam('user_ids');
    }
    return Object.fromEntries(this.statuses.list(ids).map((one) => [one.userId, one.status]));
  }

  private updateActiveStatus(userId: string, data: LiveData): undefined {
    const { user_is_active: isActive, manual = false } = data;
    if (typeof isActive !== 'boolean') throw invalidFrameParam('user_is_active');
    if (typeof manual !== 'boolean') throw invalidFrameParam('manual');
    if (manual) {
      this.statuses.choose(userId, isActive ? 'online' : 'away');
    } else if (isActive) {
      this.statuses.observe(userId, 'online');
    } else if (this.clock.now() - this.statuses.get(userId).lastActivityAt >= AWAY_AFTER_MS) {
      this.statuses.observe(userId, 'away');
    }
    return undefined;
  }
}
