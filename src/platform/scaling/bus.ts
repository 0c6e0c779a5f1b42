import type { JsonObject } from '../common/json.js';
import { newId } from '../common/ids.js';

/** Handles a message from another process. */
export type BusHandler = (message: JsonObject, from: string) => void;

/**
 * Sends messages to the other processes that share the database. Messages may be lost while Redis is down, so
 * they only announce changes early; they contain ids, never content or secrets.
 */
export abstract class Bus {
  /** Identifies this process; new on each start. */
  abstract readonly processId: string;
  /** Whether other processes can exist. */
  abstract readonly hasOthers: boolean;
  /** Whether messages get through, as far as is known. Always true without other processes. */
  abstract readonly isConnected: boolean;
  /** Sends a message to the other processes. Never throws or blocks. */
  abstract publish(topic: string, message: JsonObject): void;
  /** Makes the other processes notice a missed message that this one cannot send. Never throws. */
  abstract skip(): void;
  /** Calls `handler` with messages of other processes. One handler per topic. */
  abstract subscribe(topic: string, handler: BusHandler): void;
  /** Calls `handler` when messages to this process were or may have been lost. */
  abstract onGap(handler: () => void): void;
  /** Calls `handler` when another process appears, or reappears. */
  abstract onJoined(handler: (processId: string) => void): void;
  /** Calls `handler` when another process has stopped, or was silent for some seconds. */
  abstract onLeft(handler: (processId: string) => void): void;
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

/** The bus of a process with exclusive access to its database; does nothing. */
export class LocalBus extends Bus {
  readonly processId = newId();
  readonly hasOthers = false;
  readonly isConnected = true;

  publish(): void {
    // There are no other processes.
  }

  skip(): void {
    // There are no other processes.
  }

  subscribe(): void {
    // There are no other processes.
  }

  onGap(): void {
    // Nothing can be lost.
  }

  onJoined(): void {
    // No other process joins.
  }

  onLeft(): void {
    // No other process leaves.
  }
}
