import { Injectable } from '@nestjs/common';
import type { Permission } from '../../../platform/access/access.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import type { LiveConnection } from '../connections/live-connection.js';
import { LiveConnections } from '../connections/live-connections.js';
import { EventText, type LiveData } from '../live-event.js';
import { LiveAuthentication } from '../live-authentication.js';

/** Events that a connection receives only after it subscribes. */
export interface LiveTopic {
  readonly name: string;
  /** The system permission required to subscribe. */
  readonly permission: Permission;
  /** Called when a connection subscribes, before the reply is sent. */
  readonly onSubscribed: () => Promise<void>;
}

const VERBS = ['subscribe_', 'unsubscribe_'] as const;

interface Topic extends LiveTopic {
  /** By connection, the socket it subscribed on: after reconnecting, a client must subscribe again. */
  readonly subscribers: Map<LiveConnection, LiveConnection['socket']>;
}

/** Topic subscriptions of this process's connections (docs/contract/messaging.md#live-topics). */
@Injectable()
export class LiveTopics {
  private readonly topics = new Map<string, Topic>();

  constructor(
    private readonly connections: LiveConnections,
    private readonly authentication: LiveAuthentication,
    private readonly permissions: PermissionsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Adds a topic. Call it before the application starts. */
  register(topic: LiveTopic): void {
    this.topics.set(topic.name, { ...topic, subscribers: new Map() });
  }

  /** Handles (un)subscribe actions; returns false for other actions. Throws `permissionDenied`. */
  async perform(connection: LiveConnection, action: string): Promise<boolean> {
    const verb = VERBS.find((one) => action.startsWith(one));
    const topic = verb && this.topics.get(action.slice(verb.length));
    if (!topic) return false;
    if (verb === 'unsubscribe_') {
      topic.subscribers.delete(connection);
      return true;
    }
    const subject = await this.permissions.subject(connection.user.id);
    await this.permissions.require(subject, topic.permission, 'system');
    topic.subscribers.set(connection, connection.socket);
    await topic.onSubscribed();
    return true;
  }

  /** Whether a topic has subscribers. A disconnected client does not count, even if it resumes later. */
  hasSubscribers(name: string): boolean {
    const { subscribers } = this.topic(name);
    for (const [connection, socket] of subscribers)
      if (!this.isHere(connection, socket)) subscribers.delete(connection);
    return subscribers.size > 0;
  }

  /** Sends an event to subscribers who still have the permission. Skips slow and disconnected clients. */
  async publish(name: string, event: string, data: LiveData): Promise<void> {
    const { subscribers, permission } = this.topic(name);
    await this.unitOfWork.changes.caughtUp(); // sees permissions revoked by other processes
    for (const connection of subscribers.keys()) {
      const subject = await this.permissions.subject(connection.user.id);
      if (!(await this.permissions.has(subject, permission, 'system'))) subscribers.delete(connection);
    }
    await this.authentication.endExpired();
    const frames = new EventText(event, data, {}).with(undefined);
    for (const [connection, socket] of subscribers)
      if (this.isHere(connection, socket)) connection.deliver(frames, true);
  }

  private isHere(connection: LiveConnection, socket: LiveConnection['socket']): boolean {
    return socket !== undefined && connection.socket === socket && this.connections.has(connection);
  }

  private topic(name: string): Topic {
    const topic = this.topics.get(name);
    if (!topic) throw new Error(`The topic "${name}" does not exist.`);
    return topic;
  }
}
