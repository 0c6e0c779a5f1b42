import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { UserStatusChanged } from '../events/user-status-changed.event.js';

export type StatusName = 'online' | 'away' | 'dnd' | 'offline';
export const STATUS_NAMES: readonly string[] = ['online', 'away', 'dnd', 'offline'] satisfies StatusName[];

/** The status of a user. */
export interface Status {
  readonly userId: string;
  readonly status: StatusName;
  /** Set by the user rather than the server. */
  readonly isManual: boolean;
  readonly lastActivityAt: number;
  /** When `dnd` ends, in seconds since the epoch; 0 = never. */
  readonly dndEndTime: number;
}

const MAX_STATUSES = 10_000;

/** Statuses, in memory only: after a restart everybody is offline. The least recently changed ones are dropped. */
@Injectable()
export class StatusesService {
  private readonly statuses = new Map<string, Status>();

  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  get(userId: string): Status {
    const status = this.statuses.get(userId);
    if (!status) return { userId, status: 'offline', isManual: false, lastActivityAt: 0, dndEndTime: 0 };
    const isDndOver =
      status.status === 'dnd' && status.dndEndTime > 0 && status.dndEndTime * 1000 <= this.clock.now();
    return isDndOver ? { ...status, status: 'online', isManual: false, dndEndTime: 0 } : status;
  }

  list(userIds: readonly string[]): Status[] {
    return [...new Set(userIds)].map((id) => this.get(id));
  }

  /** Sets a status that the user chose. */
  choose(userId: string, status: StatusName, dndEndTime = 0): Status {
    return this.put(userId, status, true, status === 'dnd' ? dndEndTime : 0);
  }

  /** Sets a status that the server observed, unless the user chose another one than `online`. */
  observe(userId: string, status: StatusName): Status {
    const known = this.get(userId);
    if (known.isManual && known.status !== 'online') return known;
    return this.put(userId, status, false, 0);
  }

  /** Everybody who is not offline, by status. */
  presence(): { online: string[]; away: string[]; dnd: string[] } {
    const present = { online: [] as string[], away: [] as string[], dnd: [] as string[] };
    for (const id of this.statuses.keys()) {
      const { status } = this.get(id);
      if (status !== 'offline') present[status].push(id);
    }
    return present;
  }

  private put(userId: string, status: StatusName, isManual: boolean, dndEndTime: number): Status {
    const before = this.get(userId).status;
    const updated = { userId, status, isManual, lastActivityAt: this.clock.now(), dndEndTime };
    this.statuses.delete(userId);
    this.statuses.set(userId, updated);
    const oldest = this.statuses.size > MAX_STATUSES ? this.statuses.keys().next().value : undefined;
    if (oldest !== undefined) this.statuses.delete(oldest);
    if (before !== status) void this.events.publish(new UserStatusChanged(userId, status));
    return updated;
  }
}
