import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import { originOf } from '../delivery/dispatch/delivery-kind.js';
import {
  DeliveryExhausted,
  type DeliveryFacts,
  DeliverySucceeded,
} from '../delivery/dispatch/dispatch.events.js';
import { OUTGOING_HOOK } from '../outgoing-hooks/delivery/triggered-deliveries.js';
import { OutgoingHookRecords } from '../outgoing-hooks/outgoing-hook-records.js';
import { EndpointDisabled } from '../outgoing-hooks/outgoing-hooks.events.js';
import { PeriodicTask } from '../platform/database/periodic-task.js';
import { Bus } from '../platform/scaling/bus.js';
import { FailureMessagesSettings } from './failure-messages.settings.js';
import type { FailureKey } from './failures.repository.js';
import { FailuresService } from './failures.service.js';
import { OutgoingFailuresListener } from './outgoing-failures.listener.js';
import { Clock } from '../platform/common/clock.js';
import { type Schedule, Schedules } from '../platform/database/schedules/schedules.js';
import { On } from '../platform/events/listeners.js';
import { RemoteClusterDeleted } from '../remote-cluster/remote-cluster.events.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster/remote-cluster-records.js';
import { RemoteClusterSettings } from '../remote-cluster/remote-cluster.settings.js';

/** Cancellation reasons that mean the endpoint failed. */
const GIVEN_UP = new Set(['hook_disabled', 'url_disabled']);

type Finished = Awaited<ReturnType<DeliveriesService['listLastFinished']>>[number];

/**
 * Reports failures that a process stored but did not report before it ended, and recoveries of endpoints that were
 * reached before their failure was known here.
 */
@Injectable()
export class MissedFailures implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly checks = new PeriodicTask(
    MissedFailures.name,
    'Missed failure messages cannot be sent.',
    () => this.check(),
  );

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly hooks: OutgoingHookRecords,
    private readonly listener: OutgoingFailuresListener,
    private readonly failures: FailuresService,
    private readonly settings: FailureMessagesSettings,
    bus: Bus,
  ) {
    bus.onLeft(() => void this.checks.run());
  }

  onApplicationBootstrap(): Promise<void> {
    this.failures.watch((key) => this.healIfReached(key));
    return this.check();
  }

  onApplicationShutdown(): Promise<void> {
    return this.checks.stop();
  }

  private async check(): Promise<void> {
    if (!this.settings.failureMessages) return;
    for (const delivery of lastOfEach(await this.deliveries.listLastFinished(OUTGOING_HOOK)))
      await this.tell(delivery);
  }

  private async healIfReached({ subjectId, endpoint }: FailureKey): Promise<void> {
    const isThere = (url: string): boolean => originOf(url) === endpoint;
    const hook = await this.hooks.find(subjectId);
    if (!hook || hook.disabledUrls.some(isThere)) return; // a disabled URL is no longer called
    const calls = await this.deliveries.listLastCalls(subjectId);
    const last = calls.find(({ url }) => isThere(url));
    if (last?.status === 'delivered') await this.listener.onSucceeded(new DeliverySucceeded(factsOf(last)));
  }

  private async tell(last: Finished): Promise<void> {
    const { ownerId, url, status, reason } = last;
    const isDisabling = reason === 'gone' || reason === 'disabled_by_receiver';
    const hook = status === 'delivered' && !isDisabling ? null : await this.hooks.find(ownerId);
    if (!hook) return;
    if (status === 'failed') await this.listener.onExhausted(new DeliveryExhausted(factsOf(last), reason));
    if (!hook.disabledUrls.includes(url)) return;
    const { origin } = new URL(url);
    const why = isDisabling ? reason : 'failing';
    await this.listener.onDisabled(new EndpointDisabled(hook.id, hook.teamId, origin, why));
  }
}

function factsOf(last: Finished): DeliveryFacts {
  const { id: deliveryId, kind, ownerId, subjectId, url } = last;
  const { attempts: attempt, lastCode: statusCode, lastError: errorClass, finishAt: finishedAt } = last;
  const call = { attempt, statusCode, errorClass, durationMs: -1, finishedAt };
  return { deliveryId, kind, ownerId, subjectId, url, ...call };
}

/** The latest result for each webhook and endpoint; earlier failures may have been resolved. */
function lastOfEach(newestFirst: readonly Finished[]): Finished[] {
  const last = new Map<string, Finished>();
  for (const delivery of newestFirst) {
    if (delivery.status === 'cancelled' && !GIVEN_UP.has(delivery.reason)) continue;
    const key = `${delivery.ownerId} ${originOf(delivery.url)}`;
    if (!last.has(key)) last.set(key, delivery);
  }
  return [...last.values()];
}

const DAY_MS = 86_400_000;
const PING_TIMEOUT_MS = 15_000;

/** Notifies the creator of a secure connection when its peer is offline for a day, and when it is back. */
@Injectable()
export class PeerWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Schedule;
  private startedAt = 0;

  constructor(
    private readonly connections: RemoteClusterRecords,
    private readonly failures: FailuresService,
    private readonly remotes: RemoteClusterSettings,
    private readonly clock: Clock,
    schedules: Schedules,
  ) {
    this.rounds = schedules.add({
      name: 'watch of peers',
      owner: PeerWatch.name,
      failure: 'Messages about absent peers cannot be sent.',
      work: () => this.check(),
    });
  }

  onApplicationBootstrap(): void {
    this.startedAt = this.clock.now();
    if (this.remotes.enableRemoteClusters) this.rounds.start(this.remotes.peerPingIntervalMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  @On(RemoteClusterDeleted)
  onDeleted({ rowId }: RemoteClusterDeleted): void {
    this.failures.forget(rowId);
  }

  /** After startup, gives peers time to answer first, because this server itself may have been down. */
  private async check(): Promise<void> {
    const now = this.clock.now();
    const graceMs = 2 * this.remotes.peerPingIntervalMs + PING_TIMEOUT_MS;
    for (const peer of await this.connections.listConfirmed()) {
      const lastSeenAt = Math.max(peer.lastPingAt, peer.createAt);
      if (now - lastSeenAt < DAY_MS) this.heal(peer);
      else if (now - this.startedAt >= graceMs) this.begin(peer);
    }
  }

  private begin(peer: RemoteCluster): void {
    const text = `The peer of your secure connection ${nameOf(peer)} has not responded for a day. Messages to it wait. You will get a message when it is back.`;
    this.failures.begin({ subjectId: peer.id, endpoint: '', userId: peer.creatorId, stage: 1, text });
  }

  private heal(peer: RemoteCluster): void {
    const text = `The peer of your secure connection ${nameOf(peer)} responds again.`;
    this.failures.heal({ subjectId: peer.id, endpoint: '' }, text);
  }
}

function nameOf({ remoteId, name, displayName }: RemoteCluster): string {
  return JSON.stringify(displayName || name || remoteId);
}
