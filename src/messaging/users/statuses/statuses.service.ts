import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { UserStatusChanged } from '../users.events.js';
import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { Introductions } from '../../../platform/scaling/introductions.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { isId } from '../../../platform/common/ids.js';
import type { Actor } from '../../permissions/actor.js';
import type { UpdateStatusDto } from './statuses.controller.js';
import { UsersPolicy } from '../users.policy.js';
import { UsersService } from '../users.service.js';

export type StatusName = 'online' | 'away' | 'dnd' | 'offline';
export const STATUS_NAMES: readonly string[] = ['online', 'away', 'dnd', 'offline'] satisfies StatusName[];

export interface Status {
  readonly userId: string;
  readonly status: StatusName;
  /** Whether the user rather than the server set it. */
  readonly isManual: boolean;
  readonly lastActivityAt: number;
  /** When `dnd` ends, in seconds since the epoch; 0 = never. */
  readonly dndEndTime: number;
}

interface Mark {
  readonly status: StatusName;
  readonly at: number;
}

/** The latest chosen and the latest observed status. The order in which processes learn of them does not matter. */
export interface StatusRecord {
  readonly chosen?: (Mark & { readonly dndEndTime: number }) | undefined;
  readonly observed?: Mark | undefined;
}

/** The status at the time `now`: the chosen one, unless it is `online` and a later one was observed. */
export function statusOf(userId: string, { chosen, observed }: StatusRecord, now: number): Status {
  const dndEndsAt = chosen?.status === 'dnd' && chosen.dndEndTime > 0 ? chosen.dndEndTime * 1000 : Infinity;
  const isDndOver = dndEndsAt <= now;
  const isOpen = chosen === undefined || chosen.status === 'online' || isDndOver;
  const opensAt = isDndOver ? dndEndsAt : (chosen?.at ?? -Infinity);
  if (isOpen && observed && observed.at > opensAt)
    return { userId, status: observed.status, isManual: false, lastActivityAt: observed.at, dndEndTime: 0 };
  if (!chosen) return { userId, status: 'offline', isManual: false, lastActivityAt: 0, dndEndTime: 0 };
  const { status, at: lastActivityAt, dndEndTime } = chosen;
  return isDndOver
    ? { userId, status: 'online', isManual: false, lastActivityAt, dndEndTime: 0 }
    : { userId, status, isManual: true, lastActivityAt, dndEndTime };
}

export function merged(known: StatusRecord, other: StatusRecord): StatusRecord {
  return { chosen: later(known.chosen, other.chosen), observed: later(known.observed, other.observed) };
}

function latest({ chosen, observed }: StatusRecord): number {
  return Math.max(chosen?.at ?? 0, observed?.at ?? 0);
}

function later<M extends Mark>(one: M | undefined, other: M | undefined): M | undefined {
  if (!one || !other) return one ?? other;
  const order = one.at - other.at || one.status.localeCompare(other.status);
  return order >= 0 ? one : other;
}

const MAX_STATUSES = 10_000;
const TOPIC = 'statuses';
const AT_ONCE = 1_000;
const UNKNOWN: StatusRecord = {};

/** In-memory statuses, shared between processes: all users are offline after a restart. */
@Injectable()
export class StatusesService {
  private readonly records = new Map<string, StatusRecord>();
  private readonly introductions: Introductions | undefined;

  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly bus: Bus,
  ) {
    if (!bus.hasOthers) return;
    bus.subscribe(TOPIC, (message) => this.take(message));
    this.introductions = new Introductions(bus, TOPIC, () => this.publishAll());
  }

  get(userId: string): Status {
    return statusOf(userId, this.records.get(userId) ?? UNKNOWN, this.clock.now());
  }

  list(userIds: readonly string[]): Status[] {
    return [...new Set(userIds)].map((id) => this.get(id));
  }

  choose(userId: string, status: StatusName, dndEndTime = 0): Status {
    const chosen = { status, at: this.timeOfNext(userId), dndEndTime: status === 'dnd' ? dndEndTime : 0 };
    return this.mark(userId, { chosen });
  }

  /** Sets a status that the server observed, unless the user chose a status other than `online`. */
  observe(userId: string, status: StatusName): Status {
    return this.mark(userId, { observed: { status, at: this.timeOfNext(userId) } });
  }

  /** A user's first client connected, or the last one disconnected. Every process detects this itself. */
  observePresence(userId: string, isPresent: boolean): void {
    const status = isPresent ? 'online' : 'offline';
    this.merge(userId, { observed: { status, at: this.timeOfNext(userId) } });
  }

  /** Merges marks from this process or another; later marks win. */
  private merge(userId: string, record: StatusRecord): void {
    const before = this.get(userId).status;
    const known = this.records.get(userId);
    this.records.delete(userId);
    this.records.set(userId, known ? merged(known, record) : record);
    const oldest = this.records.size > MAX_STATUSES ? this.records.keys().next().value : undefined;
    if (oldest !== undefined) this.records.delete(oldest);
    const { status } = this.get(userId);
    if (before !== status) void this.events.publish(new UserStatusChanged(userId, status));
  }

  presence(): Record<Exclude<StatusName, 'offline'>, string[]> {
    const present: Record<Exclude<StatusName, 'offline'>, string[]> = { online: [], away: [], dnd: [] };
    for (const id of this.records.keys()) {
      const { status } = this.get(id);
      if (status !== 'offline') present[status].push(id);
    }
    return present;
  }

  private mark(userId: string, mark: StatusRecord): Status {
    this.merge(userId, mark);
    this.tell([[userId, mark]]);
    return this.get(userId);
  }

  private take({ asks, marks }: JsonObject): void {
    if (isJsonObject(marks))
      for (const [userId, mark] of Object.entries(marks)) this.merge(userId, mark as StatusRecord);
    this.introductions?.hear(asks);
  }

  private publishAll(): void {
    const all = [...this.records];
    for (let from = 0; from < all.length; from += AT_ONCE) this.tell(all.slice(from, from + AT_ONCE));
  }

  private tell(marks: readonly (readonly [string, StatusRecord])[]): void {
    this.bus.publish(TOPIC, { marks: Object.fromEntries(marks) });
  }

  /** Later than all known marks, even if another process's clock is slightly ahead. */
  private timeOfNext(userId: string): number {
    return Math.max(this.clock.now(), latest(this.records.get(userId) ?? UNKNOWN) + 1);
  }
}

/** Status use cases. */
@Injectable()
export class UserStatusesService {
  constructor(
    private readonly statuses: StatusesService,
    private readonly users: UsersService,
    private readonly policy: UsersPolicy,
  ) {}

  list(ids: readonly string[]): Status[] {
    if (!ids.every(isId)) throw new InvalidBodyParam('user_ids', 'each must be 26 letters and digits');
    return this.statuses.list(ids);
  }

  async get(id: string): Promise<Status> {
    await this.users.get(id);
    return this.statuses.get(id);
  }

  async choose(actor: Actor, id: string, body: UpdateStatusDto): Promise<Status> {
    const { user_id, status, dnd_end_time } = body;
    if (user_id !== id) throw new InvalidBodyParam('user_id', 'it must be the user of the path');
    if (!isStatusName(status))
      throw new InvalidBodyParam('status', `it must be one of ${STATUS_NAMES.join(', ')}`);
    if (dnd_end_time < 0 || dnd_end_time > Number.MAX_SAFE_INTEGER / 1000)
      throw new InvalidBodyParam('dnd_end_time');
    await this.policy.requireManage(actor, id);
    await this.users.get(id);
    return this.statuses.choose(id, status, dnd_end_time);
  }
}

function isStatusName(text: string): text is StatusName {
  return STATUS_NAMES.includes(text);
}
