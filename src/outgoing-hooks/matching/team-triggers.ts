import { estimateBytes } from '../../platform/database/estimate-bytes.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { compareAge, OrderedHooks } from './ordered-hooks.js';
import { firingWord, prepareMessage, type PreparedTrigger, prepareTriggers } from './trigger-matcher.js';
import { TriggerTable } from './trigger-table.js';

/** A hook that fires on a message, and the word that triggered it. */
export interface Firing {
  readonly hook: OutgoingHook;
  readonly word: string;
}

interface Entry {
  readonly hook: OutgoingHook;
  readonly triggers: readonly PreparedTrigger[];
  readonly sizeBytes: number;
}

const NONE = new OrderedHooks();

/**
 * The hooks of a team, indexed so that a message is matched only against hooks that may fire on it. Updating
 * one hook touches only that hook.
 */
export class TeamTriggers {
  /** The hooks, oldest first. */
  readonly all = new OrderedHooks();
  private readonly entries = new Map<string, Entry>();
  private readonly byCreator = new Map<string, OrderedHooks>();
  /** Hooks that were last set by a user other than their creator. */
  private readonly bySetter = new Map<string, OrderedHooks>();
  private readonly table = new TriggerTable<Entry>();
  /** Hooks that fire on every post, by their channel. */
  private readonly always = new Map<string, Set<Entry>>();
  private bytes = 0;

  constructor(hooks: Iterable<OutgoingHook>) {
    for (const hook of hooks) this.set(hook);
  }

  /** The approximate size in memory. */
  get sizeBytes(): number {
    return this.bytes;
  }

  /** The hooks of one creator, oldest first. */
  of(creatorId: string): OrderedHooks {
    return this.byCreator.get(creatorId) ?? NONE;
  }

  /** The hooks that a user created or last set. */
  behind(userId: string): OutgoingHook[] {
    return [...this.of(userId), ...(this.bySetter.get(userId) ?? NONE)];
  }

  /** Adds or replaces a hook. */
  set(hook: OutgoingHook): void {
    this.remove(hook.id);
    const entry = { hook, triggers: prepareTriggers(hook), sizeBytes: estimateBytes(hook) };
    this.entries.set(hook.id, entry);
    this.bytes += entry.sizeBytes;
    this.all.add(hook);
    added(this.byCreator, hook.creatorId, () => new OrderedHooks()).add(hook);
    if (hook.setBy !== hook.creatorId) added(this.bySetter, hook.setBy, () => new OrderedHooks()).add(hook);
    for (const trigger of entry.triggers) this.table.add(trigger, entry);
    if (entry.triggers.length === 0) added(this.always, hook.channelId, () => new Set<Entry>()).add(entry);
  }

  /** Removes a hook if present. */
  remove(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    const { creatorId, setBy, channelId } = entry.hook;
    this.entries.delete(id);
    this.bytes -= entry.sizeBytes;
    this.all.remove(entry.hook);
    removed(this.byCreator, creatorId, entry.hook);
    if (setBy !== creatorId) removed(this.bySetter, setBy, entry.hook);
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

/** Whether a hook watches a channel. */
export function watches({ channelId }: Pick<OutgoingHook, 'channelId'>, watched: string): boolean {
  return channelId === '' || channelId === watched;
}

function added<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function removed(map: Map<string, OrderedHooks>, key: string, hook: OutgoingHook): void {
  const hooks = map.get(key);
  hooks?.remove(hook);
  if (hooks?.size === 0) map.delete(key);
}
