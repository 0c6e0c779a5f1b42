import { matches, type PreparedMessage, type PreparedTrigger } from './trigger-matcher.js';
import { forEachToken } from './trigger-text.js';

/** One text to look for, and who looks for it. */
interface Watched {
  readonly trigger: PreparedTrigger;
  readonly watchers: number[];
}

/**
 * Finds who watches for a trigger that occurs in a message, in a time that hardly depends on how many there are.
 *
 * Anywhere: where a trigger occurs, each of its words is a whole word of the message, because its ends are bounded. So
 * a trigger is filed under one of its words, or under one of its characters if it has no word, and looked at only when
 * the message has that too. At the start: the message's beginnings of the right lengths are looked up.
 */
export class TriggerTable {
  private readonly known = new Map<string, Watched>();
  private readonly byToken = new Map<number, Watched[]>();
  private readonly starts = new Map<string, Watched>();
  /** How long the triggers are that start with a character. */
  private readonly startLengths = new Map<number, number[]>();

  add(trigger: PreparedTrigger, watcher: number): void {
    if (trigger.isBlank) return;
    const texts = trigger.when === 'start' ? this.starts : this.known;
    let watched = texts.get(trigger.text);
    if (!watched) {
      texts.set(trigger.text, (watched = { trigger, watchers: [] }));
      if (trigger.when === 'start') this.fileStart(trigger.text);
      else this.fileToken(watched);
    }
    watched.watchers.push(watcher);
  }

  /** Adds to `found` everybody whose trigger occurs. */
  find(message: PreparedMessage, found: Set<number>): void {
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

  private findStarts(start: string, found: Set<number>): void {
    for (const length of this.startLengths.get(start.charCodeAt(0)) ?? []) {
      if (length > start.length) continue;
      const watched = this.starts.get(start.slice(0, length));
      for (const watcher of watched?.watchers ?? []) found.add(watcher);
    }
  }

  private fileStart(text: string): void {
    const lengths = this.startLengths.get(text.charCodeAt(0)) ?? [];
    this.startLengths.set(text.charCodeAt(0), lengths);
    if (!lengths.includes(text.length)) lengths.push(text.length);
  }

  /** Under the word that fewest others are filed under, the longest of those: messages have it least often. */
  private fileToken(watched: Watched): void {
    let best = { token: 0, rank: -Infinity };
    forEachToken(watched.trigger.text, (token, isWord, size) => {
      const others = this.byToken.get(token)?.length ?? 0;
      const rank = (isWord ? 1e9 : 0) - others * 1e4 + size;
      if (rank > best.rank) best = { token, rank };
    });
    const filed = this.byToken.get(best.token);
    if (filed) filed.push(watched);
    else this.byToken.set(best.token, [watched]);
  }
}
