import type { Response } from 'express';
import type { AppError } from '../errors/app-error.js';
import { tooManyRequests } from '../errors/common-errors.js';
import { clientAddressOf } from './client-address.js';
import type { HttpRequest } from './http-request.js';

const MIB = 1024 * 1024;
const MAX_BYTES = 48 * MIB;
const MAX_TOTAL_BYTES = 128 * MIB;
const REFUSAL = `${MAX_BYTES / MIB} MiB of an address, and ${MAX_TOTAL_BYTES / MIB} MiB in total`;

/** The bytes of one body or response. They count until the response has closed. */
export interface CountedBytes {
  /** Counts further bytes. Returns the refusal if they do not fit. */
  readonly take: (bytes: number) => AppError | undefined;
  /** Marks them as complete; they can no longer be cut off. */
  readonly finish: () => void;
}

interface Held {
  bytes: number;
  readonly cut: () => void;
}

interface Holder {
  bytes: number;
  count: number;
  readonly unfinished: Set<Held>;
}

const UNCOUNTED: CountedBytes = { take: () => undefined, finish: () => undefined };

/**
 * Bounds the memory for bodies of unanswered requests and for long responses, per address and in total
 * (docs/contract/conventions.md#limits). When the total is reached, the address with the most bytes in
 * unfinished bodies loses its oldest one.
 */
export class ByteRoom {
  private readonly holders = new Map<string, Holder>();
  private bytes = 0;

  open(request: HttpRequest, response: Response): CountedBytes {
    if (request.isLocal || response.closed) return UNCOUNTED; // a closed response would never release them
    const address = clientAddressOf(request);
    const holder = this.holders.get(address) ?? { bytes: 0, count: 0, unfinished: new Set() };
    this.holders.set(address, holder);
    holder.count++;
    const held: Held = { bytes: 0, cut: () => request.destroy() };
    holder.unfinished.add(held);
    response.once('close', () => {
      this.release(holder, held);
      if (--holder.count === 0) this.holders.delete(address);
    });
    return {
      take: (bytes) => (this.take(holder, held, bytes) ? undefined : tooManyRequests(REFUSAL)),
      finish: () => holder.unfinished.delete(held),
    };
  }

  private take(holder: Holder, held: Held, bytes: number): boolean {
    if (holder.bytes + bytes > MAX_BYTES) return false;
    while (this.bytes + bytes > MAX_TOTAL_BYTES) if (!this.cutOneFor(holder)) return false;
    held.bytes += bytes;
    holder.bytes += bytes;
    this.bytes += bytes;
    return true;
  }

  /** Cuts off the oldest unfinished body of the address with the most. False if that is the holder. */
  private cutOneFor(holder: Holder): boolean {
    let largest = holder;
    for (const other of this.holders.values())
      if (unfinishedBytes(other) > unfinishedBytes(largest)) largest = other;
    const [oldest] = largest.unfinished;
    if (largest === holder || !oldest) return false;
    this.release(largest, oldest);
    oldest.cut();
    return true;
  }

  private release(holder: Holder, held: Held): void {
    holder.unfinished.delete(held);
    holder.bytes -= held.bytes;
    this.bytes -= held.bytes;
    held.bytes = 0;
  }
}

function unfinishedBytes({ unfinished }: Holder): number {
  let sum = 0;
  for (const { bytes } of unfinished) sum += bytes;
  return sum;
}

/** The room of this process. */
export const byteRoom = new ByteRoom();
