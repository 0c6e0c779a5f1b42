import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { isId } from '../../../platform/common/ids.js';
import { API_VERSION } from '../../../platform/common/version.js';
import { PostPermission } from '../../posts/posts.policy.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import { VisibleUsers } from '../../users/visible-users.js';
import { StatusesService } from '../../users/statuses/statuses.service.js';
import type { LiveConnection } from '../connections/live-connection.js';
import type { LiveData } from '../live-event.js';
import { LiveTopics } from '../topics/live-topics.js';
import { invalidFrameParam, unknownAction } from '../live.errors.js';
import { TypingService } from './typing.service.js';

const AWAY_AFTER_MS = 300_000;
const MAX_STATUS_IDS = 1_000;

type Action = (userId: string, data: LiveData) => LiveData | undefined | Promise<LiveData | undefined>;

/** The actions that clients can request over a connection (docs/contract/messaging.md#live-frames). */
@Injectable()
export class LiveActions {
  private readonly actions: ReadonlyMap<string, Action>;

  constructor(
    private readonly typing: TypingService,
    private readonly topics: LiveTopics,
    private readonly permissions: PermissionsService,
    private readonly visible: VisibleUsers,
    private readonly statuses: StatusesService,
    private readonly clock: Clock,
  ) {
    this.actions = new Map<string, Action>([
      ['ping', () => this.ping()],
      ['user_typing', (userId, data) => this.userTyping(userId, data)],
      ['get_statuses', (userId) => this.getStatuses(userId)],
      ['get_statuses_by_ids', (userId, data) => this.getStatusesByIds(userId, data)],
      ['user_update_active_status', (userId, data) => this.updateActiveStatus(userId, data)],
      // Clients report the open channel and displayed notifications; the server needs neither.
      ['presence', () => undefined],
      ['posted_notify_ack', () => undefined],
    ]);
  }

  /** Throws `unknownAction`, or what the action throws. */
  async perform(connection: LiveConnection, action: string, data: LiveData): Promise<LiveData | undefined> {
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
    await this.typing.publish(userId, channelId, parentId);
    return undefined;
  }

  private async getStatuses(userId: string): Promise<LiveData> {
    const { online, away, dnd } = this.statuses.presence();
    const statuses = [
      ...online.map((id) => [id, 'online'] as const),
      ...away.map((id) => [id, 'away'] as const),
      ...dnd.map((id) => [id, 'dnd'] as const),
    ];
    const viewer = await this.permissions.subject(userId);
    return Object.fromEntries(await this.visible.only(viewer, statuses, ([id]) => id));
  }

  private async getStatusesByIds(userId: string, { user_ids: ids }: LiveData): Promise<LiveData> {
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_STATUS_IDS || !ids.every(isId)) {
      throw invalidFrameParam('user_ids');
    }
    const viewer = await this.permissions.subject(userId);
    const seen = await this.visible.only(viewer, ids, (id) => id);
    return Object.fromEntries(this.statuses.list(seen).map((one) => [one.userId, one.status]));
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
