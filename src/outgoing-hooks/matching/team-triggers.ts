import { estimateBytes } from '../../platform/database/estimate-bytes.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { firingWord, prepareMessage, type PreparedTrigger, prepareTriggers } from './trigger-matcher.js';
import { TriggerTable } from './trigger-table.js';

export interface Firing {
  readonly hook: OutgoingHook;
  readonly word: string;
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
  private readonly always = new Map<string, Set<Entry>>();
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

  byCreatorOrSetter(userId: string): OutgoingHook[] {
    const hooks: OutgoingHook[] = [];
    for (const { hook } of this.entries.values())
      if (hook.creatorId === userId || hook.setBy === userId) hooks.push(hook);
    return hooks;
  }

  set(hook: OutgoingHook): void {
    this.remove(hook.id);
    const entry = { hook, triggers: prepareTriggers(hook), sizeBytes: estimateBytes(hook) };
    this.entries.set(hook.id, entry);
    this.bytes += entry.sizeBytes;
    for (const trigger of entry.triggers) this.table.add(trigger, entry);
    if (entry.triggers.length > 0) return;
    const always = this.always.get(hook.channelId) ?? new Set<Entry>();
    this.always.set(hook.channelId, always.add(entry));
  }

  remove(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    const { channelId } = entry.hook;
    this.entries.delete(id);
    this.bytes -= entry.sizeBytes;
    for (const trigger of entry.triggers) this.table.remove(trigger, entry);
    const always = this.always.get(channelId);
    always?.delete(entry);
    if (always?.size === 0) this.always.delete(channelId);
  }

  /** The hooks that fire on this message in this channel by their words, oldest first. */
  firing(channelId: string, message: string): Firing[] {
    if (this.entries.size === 0) return [];
    const prepared = prepareMessage(message);
    const candidates = new Set<Entry>(this.always.get(channelId));
    this.table.find(prepared, candidates);
    const firings: Firing[] = [];
    for (const { hook, triggers } of candidates) {
      if (!watches(hook, channelId)) continue;
      const word = firingWord(prepared, triggers, hook);
      if (word !== undefined) firings.push({ hook, word });
    }
    return firings.sort((one, other) => compareAge(one.hook, other.hook));
  }
}

export function watches({ channelId }: Pick<OutgoingHook, 'channelId'>, watched: string): boolean {
  return channelId === '' || channelId === watched;
}

function compareAge(one: OutgoingHook, other: OutgoingHook): number {
  if (one.createAt !== other.createAt) return one.createAt - other.createAt;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}
