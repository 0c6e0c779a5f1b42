import { estimateBytes } from '../../platform/database/estimate-bytes.js';
import { type Author, type HookEvent, TRIGGERED } from '../events/hook-events.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { firingWord, prepareMessage, type PreparedTrigger, prepareTriggers } from './trigger-matcher.js';
import { TriggerTable } from './trigger-table.js';

export interface Firing {
  readonly hook: OutgoingHook;
  readonly word: string;
  readonly event: HookEvent;
}

interface Entry {
  readonly hook: OutgoingHook;
  readonly triggers: readonly PreparedTrigger[];
  readonly sizeBytes: number;
}

/** The hooks of a team, indexed so that a message is matched only against hooks that may fire on it. */
export class TeamTriggers {
  private readonly entries = new Map<string, Entry>();
  private readonly table = new TriggerTable<Entry>();
  /** By event and channel; triggers only if they have no words. */
  private readonly byEvent = new Map<string, Set<Entry>>();
  private bytes = 0;

  constructor(hooks: Iterable<OutgoingHook>) {
    for (const hook of hooks) this.set(hook);
  }

  get sizeBytes(): number {
    return this.bytes;
  }

  get all(): OutgoingHook[] {
    return Array.from(this.entries.values(), ({ hook }) => hook).sort(compareAge);
  }

  /** The hooks whose creator, setter or bot is the user. */
  ofPerson(userId: string): OutgoingHook[] {
    const hooks: OutgoingHook[] = [];
    for (const { hook } of this.entries.values())
      if ([hook.creatorId, hook.setBy, hook.botUserId].includes(userId)) hooks.push(hook);
    return hooks;
  }

  set(hook: OutgoingHook): void {
    this.remove(hook.id);
    const triggers = hook.events.includes(TRIGGERED) ? prepareTriggers(hook) : [];
    const entry = { hook, triggers, sizeBytes: estimateBytes(hook) };
    this.entries.set(hook.id, entry);
    this.bytes += entry.sizeBytes;
    for (const trigger of triggers) this.table.add(trigger, entry);
    for (const key of keysOf(entry)) this.byEvent.set(key, (this.byEvent.get(key) ?? new Set()).add(entry));
  }

  remove(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.delete(id);
    this.bytes -= entry.sizeBytes;
    for (const trigger of entry.triggers) this.table.remove(trigger, entry);
    for (const key of keysOf(entry)) {
      const watching = this.byEvent.get(key);
      watching?.delete(entry);
      if (watching?.size === 0) this.byEvent.delete(key);
    }
  }

  /** The hooks that fire on this new message in this channel, oldest first. */
  firing(channelId: string, message: string, author: Author = 'person'): Firing[] {
    if (this.entries.size === 0) return [];
    const triggered = author === 'program' ? [] : this.triggered(channelId, message);
    const firings = [...this.watching('message.created', channelId, author), ...triggered];
    return firings.sort((one, other) => compareAge(one.hook, other.hook));
  }

  /** The hooks that receive an event, in a channel or, without one, in the team; oldest first. */
  watching(event: HookEvent, channelId: string, author: Author): Firing[] {
    const firings: Firing[] = [];
    for (const place of channelId === '' ? [''] : ['', channelId])
      for (const { hook } of this.byEvent.get(`${event} ${place}`) ?? [])
        if (author === 'person' || hook.includeBots) firings.push({ hook, word: '', event });
    return firings.sort((one, other) => compareAge(one.hook, other.hook));
  }

  hears(event: HookEvent): boolean {
    for (const key of this.byEvent.keys()) if (key.startsWith(`${event} `)) return true;
    return false;
  }

  private triggered(channelId: string, message: string): Firing[] {
    const prepared = prepareMessage(message);
    const candidates = new Set<Entry>(this.byEvent.get(`${TRIGGERED} ${channelId}`));
    this.table.find(prepared, candidates);
    const firings: Firing[] = [];
    for (const { hook, triggers } of candidates) {
      if (!watches(hook, channelId)) continue;
      const word = firingWord(prepared, triggers, hook);
      if (word !== undefined) firings.push({ hook, word, event: TRIGGERED });
    }
    return firings;
  }
}

function* keysOf({ hook, triggers }: Entry): Iterable<string> {
  for (const event of hook.events) {
    if (event === TRIGGERED && triggers.length > 0) continue;
    const isInChannel = event.startsWith('message.') || event.startsWith('member.');
    yield `${event} ${isInChannel ? hook.channelId : ''}`;
  }
}

export function watches({ channelId }: Pick<OutgoingHook, 'channelId'>, watched: string): boolean {
  return channelId === '' || channelId === watched;
}

function compareAge(one: OutgoingHook, other: OutgoingHook): number {
  if (one.createAt !== other.createAt) return one.createAt - other.createAt;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}
