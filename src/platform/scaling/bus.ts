import type { JsonObject } from '../common/json.js';
import { newId } from '../common/ids.js';

/** Handles a message from another process. */
export type BusHandler = (message: JsonObject, from: string) => void;

/**
 * Sends messages to the other processes that share the database. Messages may be lost while Redis is down, so
 * they only announce changes early; they contain ids, never content or secrets. This class is the bus of a
 * process with exclusive access to its database, and does nothing.
 */
export class Bus {
  /** Identifies this process; new on each start. */
  readonly processId: string = newId();
  /** Whether other processes can exist. */
  readonly hasOthers: boolean = false;

  /** Whether messages get through, as far as is known. Always true without other processes. */
  get isConnected(): boolean {
    return true;
  }

  /** Sends a message to the other processes. Never throws or blocks. */
  publish(_topic: string, _message: JsonObject): void {}

  /** Makes the other processes notice a missed message that this one cannot send. Never throws. */
  skip(): void {}

  /** Calls `handler` with messages of other processes. One handler per topic. */
  subscribe(_topic: string, _handler: BusHandler): void {}

  /** Calls `handler` when messages to this process were or may have been lost. */
  onGap(_handler: () => void): void {}

  /** Calls `handler` when another process appears, or reappears. */
  onJoined(_handler: (processId: string) => void): void {}

  /** Calls `handler` when another process has stopped, or was silent for some seconds. */
  onLeft(_handler: (processId: string) => void): void {}
}

/** Awaits work with a timeout, since a silently dropped connection never answers. Rethrows its errors. */
export async function bounded<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer.')), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
