import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { UserStatusChanged } from '../users.events.js';
import {
  latest,
  merged,
  type Status,
  type StatusName,
  statusOf,
  type StatusRecord,
} from './status-record.js';

const MAX_STATUSES = 10_000;
const UNKNOWN: StatusRecord = {};

/** Statuses, in memory only: after a restart everybody is offline. The least recently changed ones are dropped. */
@Injectable()
export class StatusesService {
  /** Called with what is chosen or observed here. */
  onMarked: (userId: string, mark: StatusRecord) => void = () => undefined;
  private readonly records = new Map<string, StatusRecord>();

  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  get(userId: string): Status {
    return statusOf(userId, this.records.get(userId) ?? UNKNOWN, this.clock.now());
  }

  list(userIds: readonly string[]): Status[] {
    return [...new Set(userIds)].map((id) => this.get(id));
  }

  /** Sets a status that the user chose. */
  choose(userId: string, status: StatusName, dndEndTime = 0): Status {
    const chosen = { status, at: this.timeOfNext(userId), dndEndTime: status === 'dnd' ? dndEndTime : 0 };
    return this.mark(userId, { chosen });
  }

  /** Sets a status that the server observed, unless the user chose another one than `online`. */
  observe(userId: string, status: StatusName): Status {
    return this.mark(userId, { observed: { status, at: this.timeOfNext(userId) } });
  }

  /** The first client of a user has come, or the last one has gone. Every process finds out by itself. */
  observePresence(userId: string, isPresent: boolean): void {
    this.merge(userId, {
      observed: { status: isPresent ? 'online' : 'offline', at: this.timeOfNext(userId) },
    });
  }

  /** Takes over what was chosen or observed elsewhere, unless something later is known. */
  merge(userId: string, record: StatusRecord): void {
    const before = this.get(userId).status;
    const known = this.records.get(userId);
    this.records.delete(userId);
    this.records.set(userId, known ? merged(known, record) : record);
    const oldest = this.records.size > MAX_STATUSES ? this.records.keys().next().value : undefined;
    if (oldest !== undefined) this.records.delete(oldest);
    const { status } = this.get(userId);
    if (before !== status) void this.events.publish(new UserStatusChanged(userId, status));
  }

  /** Everything that was chosen or observed, by user. */
  all(): Iterable<readonly [string, StatusRecord]> {
    return this.records;
  }

  /** Everybody who is not offline, by status. */
  presence(): { online: string[]; away: string[]; dnd: string[] } {
    const present = { online: [] as string[], away: [] as string[], dnd: [] as string[] };
    for (const id of this.records.keys()) {
      const { status } = this.get(id);
      if (status !== 'offline') present[status].push(id);
    }
    return present;
  }

  private mark(userId: string, mark: StatusRecord): Status {
    this.merge(userId, mark);
    this.onMarked(userId, mark);
    return this.get(userId);
  }

  /** Later than what is known, also where another process is a little ahead. */
  private timeOfNext(userId: string): number {
    return Math.max(this.clock.now(), latest(this.records.get(userId) ?? UNKNOWN) + 1);
  }
}
