import type { Bus } from './bus.js';

/** The rate limit, no matter how many processes join or ask at once. */
const AT_MOST_EVERY_MS = 250;

/** Publishes a whole topic for processes that join, asks them for theirs, and asks all after a gap. */
export class Introductions {
  /** The processes to ask: those that joined, and may know what this one does not, or all. */
  private asks: string[] | true = [];
  private isAsked = false;
  private timer: NodeJS.Timeout | undefined;

  /** `publishAll` publishes the whole topic. Pass the `asks` field of its messages to `hear`. */
  constructor(
    private readonly bus: Bus,
    private readonly topic: string,
    private readonly publishAll: () => void,
  ) {
    bus.onJoined((processId) => {
      if (this.asks !== true) this.asks.push(processId);
      this.isAsked = true;
      this.speak();
    });
    bus.onGap(() => {
      this.asks = true;
      this.speak();
    });
  }

  /** Handles a request from another process to all processes, or to those that it lists. */
  hear(asks: unknown): void {
    if (asks !== true && !(Array.isArray(asks) && asks.includes(this.bus.processId))) return;
    this.isAsked = true;
    this.speak();
  }

  private speak(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isAsked || this.asks === true) this.speak();
    }, AT_MOST_EVERY_MS).unref();
    const { isAsked, asks } = this;
    this.isAsked = false;
    this.asks = [];
    if (isAsked) this.publishAll();
    if (asks === true || asks.length > 0) this.bus.publish(this.topic, { asks });
  }
}
