import { matches, type PreparedMessage, type PreparedTrigger } from './trigger-matcher.js';
import { forEachToken } from './trigger-text.js';

/** A trigger, and the hooks that have it. */
interface Watched {
  readonly trigger: PreparedTrigger;
  readonly watchers: number[];
}

/**
 * Finds the triggers that occur in a message, in a time that hardly depends on their number.
 *
 * Triggers anywhere: where one occurs, each of its words is a whole word of the message, because its ends need word
 * boundaries. So a trigger is indexed under one of its words, or one of its characters if it has no word, and matched
 * only against messages that contain it. Triggers at the start: looked up by the message's prefixes of their lengths.
 */
export class TriggerTable {
  private readonly anywhere = new Map<string, Watched>();
  private readonly byToken = new Map<number, Watched[]>();
  private readonly starts = new Map<string, Watched>();
  /** The lengths of the triggers at the start, by their first character. */
  private readonly startLengths = new Map<number, number[]>();

  /** Adds a trigger; `watcher` identifies its hook. */
  add(trigger: PreparedTrigger, watcher: number): void {
    if (trigger.isBlank) return;
    const texts = trigger.when === 'start' ? this.starts : this.anywhere;
    let watched = texts.get(trigger.text);
    if (!watched) {
      texts.set(trigger.text, (watched = { trigger, watchers: [] }));
      if (trigger.when === 'start') this.fileStart(trigger.text);
      else this.fileToken(watched);
    }
    watched.watchers.push(watcher);
  }

  /** Adds the watchers of all triggers that occur to `found`. */
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

  /** Under the word with the fewest triggers so far, and the longest of those: it is the rarest in messages. */
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
