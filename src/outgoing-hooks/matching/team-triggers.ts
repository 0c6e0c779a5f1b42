import type { OutgoingHook } from '../outgoing-hook.entity.js';
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
}

/** The hooks of a team, indexed so that a message is matched only against those that may fire on it. */
export class TeamTriggers {
  private readonly entries: readonly Entry[];
  private readonly table = new TriggerTable();
  /** Hooks that fire on every post, by their channel. */
  private readonly always = new Map<string, number[]>();

  constructor(hooks: readonly OutgoingHook[]) {
    this.entries = hooks.map((hook) => ({ hook, triggers: prepareTriggers(hook) }));
    this.entries.forEach(({ hook, triggers }, index) => {
      for (const trigger of triggers) this.table.add(trigger, index);
      if (triggers.length > 0) return;
      const others = this.always.get(hook.channelId);
      if (others) others.push(index);
      else this.always.set(hook.channelId, [index]);
    });
  }

  /** The hooks that fire on this message in this channel by their words, oldest first. */
  firing(channelId: string, message: string): Firing[] {
    if (this.entries.length === 0) return [];
    const prepared = prepareMessage(message);
    const candidates = new Set<number>(this.always.get(channelId));
    this.table.find(prepared, candidates);
    const firings: Firing[] = [];
    for (const index of [...candidates].sort((a, b) => a - b)) {
      const entry = this.entries[index];
      if (!entry || !watches(entry.hook, channelId)) continue;
      const word = firingWord(prepared, entry.triggers, entry.hook);
      if (word !== undefined) firings.push({ hook: entry.hook, word });
    }
    return firings;
  }
}

/** Whether a hook watches a channel. */
export function watches({ channelId }: OutgoingHook, watched: string): boolean {
  return channelId === '' || channelId === watched;
}
