import type { Bus } from './bus.js';

/** However many processes come or ask at once, it is told so often. */
const AT_MOST_EVERY_MS = 250;

/**
 * Has a topic told whole to processes that come, and by them; and by all after a gap. What is told is heard by everybody, so
 * of several processes that come together each tells it a few times, not once for each other one.
 */
export class Introductions {
  /** Those that have come, and may know what this process does not. */
  private readonly newcomers = new Set<string>();
  private hasGap = false;
  private isAsked = false;
  private timer: NodeJS.Timeout | undefined;

  /** `tellAll` publishes the whole topic. Give what comes as `asks` with messages of the topic to `hear`. */
  constructor(
    private readonly bus: Bus,
    private readonly topic: string,
    private readonly tellAll: () => void,
  ) {
    bus.onJoined((processId) => {
      this.newcomers.add(processId);
      this.isAsked = true;
      this.speak();
    });
    bus.onGap(() => {
      this.hasGap = true;
      this.speak();
    });
  }

  /** Another process asks: everybody, or those that it names. */
  hear(asks: unknown): void {
    if (asks !== true && !(Array.isArray(asks) && asks.includes(this.bus.processId))) return;
    this.isAsked = true;
    this.speak();
  }

  private speak(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isAsked || this.hasGap) this.speak();
    }, AT_MOST_EVERY_MS).unref();
    const { isAsked, hasGap } = this;
    const asks = hasGap || [...this.newcomers];
    this.isAsked = this.hasGap = false;
    this.newcomers.clear();
    if (isAsked) this.tellAll();
    if (asks === true || asks.length > 0) this.bus.publish(this.topic, { asks });
  }
}
