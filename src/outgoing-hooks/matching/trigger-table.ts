import { matches, type PreparedMessage, type PreparedTrigger } from './trigger-matcher.js';
import { forEachToken } from './trigger-text.js';

interface Watched<Watcher> {
  readonly trigger: PreparedTrigger;
  readonly watchers: Set<Watcher>;
  readonly token: number;
}

/**
 * Finds the triggers that occur in a message, in time nearly independent of the number of triggers.
 *
 * Triggers anywhere: where one occurs, each of its words is a whole word of the message, because its ends need word
 * boundaries. So a trigger is indexed under one of its words, or one of its characters if it has no word, and matched
 * only against messages that contain it. Other triggers are looked up by the message's prefixes of their lengths.
 */
export class TriggerTable<Watcher> {
  private readonly anywhere = new Map<string, Watched<Watcher>>();
  private readonly byToken = new Map<number, Set<Watched<Watcher>>>();
  private readonly starts = new Map<string, Set<Watcher>>();
  /** How many triggers at the start have each length, by their first character. */
  private readonly startLengths = new Map<number, Map<number, number>>();

  add(trigger: PreparedTrigger, watcher: Watcher): void {
    if (trigger.isBlank) return;
    if (trigger.when === 'anywhere') this.addAnywhere(trigger, watcher);
    else this.addStart(trigger.text, watcher);
  }

  remove({ isBlank, when, text }: PreparedTrigger, watcher: Watcher): void {
    if (isBlank) return;
    if (when === 'anywhere') this.removeAnywhere(text, watcher);
    else this.removeStart(text, watcher);
  }

  find(message: PreparedMessage, found: Set<Watcher>): void {
    this.findStarts(message.start, found);
    if (this.byToken.size === 0) return;
    const seen = new Set<number>();
    forEachToken(message.text, (token) => {
      const filed = this.byToken.get(token);
      if (!filed || seen.has(token)) return;
      seen.add(token);
      for (const { trigger, watchers } of filed)
        if (matches(message, trigger)) for (const watcher of watchers) found.add(watcher);
    });
  }

  private findStarts(start: string, found: Set<Watcher>): void {
    for (const length of this.startLengths.get(start.charCodeAt(0))?.keys() ?? []) {
      if (length > start.length + 1) continue;
      // The end of the message ends its last word like a space. The hook rejects triggers that require the space.
      const prefix = start.slice(0, length).padEnd(length);
      for (const watcher of this.starts.get(prefix) ?? []) found.add(watcher);
    }
  }

  private addStart(text: string, watcher: Watcher): void {
    const watchers = this.starts.get(text);
    if (watchers) {
      watchers.add(watcher);
      return;
    }
    this.starts.set(text, new Set([watcher]));
    const lengths = this.startLengths.get(text.charCodeAt(0)) ?? new Map<number, number>();
    this.startLengths.set(text.charCodeAt(0), lengths);
    lengths.set(text.length, (lengths.get(text.length) ?? 0) + 1);
  }

  private removeStart(text: string, watcher: Watcher): void {
    const watchers = this.starts.get(text);
    if (!watchers?.delete(watcher) || watchers.size > 0) return;
    this.starts.delete(text);
    const lengths = this.startLengths.get(text.charCodeAt(0));
    const others = (lengths?.get(text.length) ?? 1) - 1;
    if (others > 0) lengths?.set(text.length, others);
    else lengths?.delete(text.length);
    if (lengths?.size === 0) this.startLengths.delete(text.charCodeAt(0));
  }

  private addAnywhere(trigger: PreparedTrigger, watcher: Watcher): void {
    const known = this.anywhere.get(trigger.text);
    if (known) {
      known.watchers.add(watcher);
      return;
    }
    const watched = { trigger, watchers: new Set([watcher]), token: this.rarestToken(trigger.text) };
    this.anywhere.set(trigger.text, watched);
    const filed = this.byToken.get(watched.token);
    if (filed) filed.add(watched);
    else this.byToken.set(watched.token, new Set([watched]));
  }

  private removeAnywhere(text: string, watcher: Watcher): void {
    const watched = this.anywhere.get(text);
    if (!watched?.watchers.delete(watcher) || watched.watchers.size > 0) return;
    this.anywhere.delete(text);
    const filed = this.byToken.get(watched.token);
    filed?.delete(watched);
    if (filed?.size === 0) this.byToken.delete(watched.token);
  }

  /** The word with the fewest triggers so far, or the longest of those: likely the rarest in messages. */
  private rarestToken(text: string): number {
    let best = { token: 0, rank: -Infinity };
    forEachToken(text, (token, isWord, size) => {
      const others = this.byToken.get(token)?.size ?? 0;
      const rank = (isWord ? 1e9 : 0) - others * 1e4 + size;
      if (rank > best.rank) best = { token, rank };
    });
    return best.token;
  }
}
