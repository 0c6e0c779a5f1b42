import { Injectable } from '@nestjs/common';
import type { DeliveryKind } from './delivery-kind.js';

/** The registry of delivery kinds. Each module registers its own at start. */
@Injectable()
export class DeliveryKinds {
  private readonly kinds = new Map<string, DeliveryKind>();

  register(kind: DeliveryKind): void {
    if (this.kinds.has(kind.kind)) throw new Error(`The kind ${kind.kind} is registered twice.`);
    this.kinds.set(kind.kind, kind);
  }

  find(name: string): DeliveryKind | undefined {
    return this.kinds.get(name);
  }

  /** The URLs of an owner that may be called now. */
  async callableUrls(ownerId: string): Promise<string[]> {
    const urls: string[] = [];
    for (const kind of this.kinds.values()) urls.push(...((await kind.callableUrls?.(ownerId)) ?? []));
    return urls;
  }
}
