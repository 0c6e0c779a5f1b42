import { Bus, type BusHandler } from '../../src/platform/scaling/bus.js';
import type { JsonObject } from '../../src/platform/common/json.js';

/** A bus between the processes of a spec: messages arrive at once, as JSON. */
export class FakeBus extends Bus {
  override readonly hasOthers = true;
  /** The messages that this process has published. */
  readonly sent: { readonly topic: string; readonly message: JsonObject }[] = [];
  private readonly handlers = new Map<string, BusHandler>();
  private readonly gaps: (() => void)[] = [];
  private readonly joined: ((processId: string) => void)[] = [];
  private readonly left: ((processId: string) => void)[] = [];

  private constructor(
    override readonly processId: string,
    private readonly network: FakeBus[],
  ) {
    super();
    network.push(this);
  }

  /** The buses of this number of processes. */
  static connect(...processIds: readonly string[]): FakeBus[] {
    const network: FakeBus[] = [];
    for (const id of processIds) new FakeBus(id, network);
    return network;
  }

  override publish(topic: string, message: JsonObject): void {
    this.sent.push({ topic, message });
    const text = JSON.stringify(message);
    for (const other of this.network)
      if (other !== this) other.handlers.get(topic)?.(JSON.parse(text) as JsonObject, this.processId);
  }

  override skip(): void {
    for (const other of this.network) if (other !== this) other.miss();
  }

  override subscribe(topic: string, handler: BusHandler): void {
    this.handlers.set(topic, handler);
  }

  override onGap(handler: () => void): void {
    this.gaps.push(handler);
  }

  override onJoined(handler: (processId: string) => void): void {
    this.joined.push(handler);
  }

  override onLeft(handler: (processId: string) => void): void {
    this.left.push(handler);
  }

  /** This process has missed messages. */
  miss(): void {
    for (const handler of this.gaps) handler();
  }

  /** Another process joins, and all processes receive each other's messages. */
  join(processId: string): FakeBus {
    return new FakeBus(processId, this.network);
  }

  /** The processes receive each other's messages. */
  meet(): void {
    for (const one of this.network)
      for (const other of this.network)
        if (one !== other) for (const handler of one.joined) handler(other.processId);
  }

  /** This process leaves. */
  leave(): void {
    this.network.splice(this.network.indexOf(this), 1);
    for (const other of this.network) for (const handler of other.left) handler(this.processId);
  }
}
