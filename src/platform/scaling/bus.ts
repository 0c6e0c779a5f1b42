import type { JsonObject } from '../common/json.js';

/** Takes a message of another process. */
export type BusHandler = (message: JsonObject, from: string) => void;

/**
 * Carries messages to the other processes that serve the same database. A message may be lost while Redis is away, so it
 * only says what changed sooner than they would find out; it holds ids, never content or secrets.
 */
export abstract class Bus {
  /** Tells this process from the others; new at each start. */
  abstract readonly processId: string;
  /** Whether there can be other processes at all. */
  abstract readonly hasOthers: boolean;
  /** Whether messages go through as far as is known. Always true where there are no others. */
  abstract readonly isConnected: boolean;
  /** Sends a message to the other processes. Never throws, never waits. */
  abstract publish(topic: string, message: JsonObject): void;
  /** Lets the other processes know that they have missed a message, which this one cannot send. Never throws. */
  abstract skip(): void;
  /** Calls `handler` with the messages of the other processes. One handler for each topic. */
  abstract subscribe(topic: string, handler: BusHandler): void;
  /** Calls `handler` when messages to this process have been lost, or may have been. */
  abstract onGap(handler: () => void): void;
  /** Calls `handler` when another process is heard for the first time, or again. */
  abstract onJoined(handler: (processId: string) => void): void;
  /** Calls `handler` when another process has stopped, or was not heard for some seconds. */
  abstract onLeft(handler: (processId: string) => void): void;
}
