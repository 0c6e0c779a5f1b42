import { stackOf } from '../errors/stack-of.js';
import { Injectable, Logger, type OnModuleInit, SetMetadata, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** An announcement: past tense, ids and facts. `name` is what `@OnEvent` listens to. */
export interface DomainEvent {
  readonly name: string;
}

/** Rows that a listener adds to a change: stored in its transaction, if and only if the change is. */
export interface Contribution {
  readonly entity: EntityTarget<ObjectLiteral>;
  readonly rows: readonly ObjectLiteral[];
  /** About how many bytes the rows take. */
  readonly sizeBytes: number;
  /** Runs once they are stored, and never if they are not. Must not throw. */
  readonly afterCommit?: () => void;
}

type Contributor = (event: object) => Promise<readonly Contribution[]>;
type InTransactionListener = (event: object, manager: EntityManager) => Promise<void>;

const IN_TRANSACTION = 'hookline:in-transaction';
const CONTRIBUTES = 'hookline:contributes';

/**
 * Marks a method as a contributor: before the transaction of the change begins it gets the event and returns rows that
 * are to be stored with it. All reading and deciding happens out there, so that the transaction stays short and its
 * statements are known beforehand. Its failure fails the change.
 */
export const Contributes = (event: Type<object>): MethodDecorator => alsoFor(CONTRIBUTES, event);

/**
 * Marks a method as a listener of the in-transaction phase: it gets the event and the transaction's manager and
 * writes rows that must exist if and only if the change does. Its failure fails the change. It must write through that
 * manager: the transaction may be one that the unit of work does not know (UnitOfWork.runDetached).
 */
export const InTransaction = (event: Type<object>): MethodDecorator => alsoFor(IN_TRANSACTION, event);

/** A method may be marked for several events. */
function alsoFor(key: string, event: Type<object>): MethodDecorator {
  return (target, name, descriptor) => {
    const method = descriptor.value as object;
    const events = (Reflect.getMetadata(key, method) as Type<object>[] | undefined) ?? [];
    SetMetadata(key, [event, ...events])(target, name, descriptor);
  };
}

/**
 * The event bus and its phases (docs/architecture.md#events). `contributions` and `inTransaction` let listeners take
 * part in the change; `announce` tells everybody else, after the commit, and no listener's failure reaches the
 * publisher.
 */
@Injectable()
export class EventBus implements OnModuleInit {
  private readonly logger = new Logger(EventBus.name);
  private readonly listeners = new Map<Type<object>, InTransactionListener[]>();
  private readonly contributors = new Map<Type<object>, Contributor[]>();

  constructor(
    private readonly emitter: EventEmitter2,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Record<string, unknown>;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = methods[name];
        if (typeof method !== 'function') continue;
        for (const event of this.eventsOf(IN_TRANSACTION, method))
          this.listen(event, (published, manager) =>
            (method as InTransactionListener).call(instance, published, manager),
          );
        for (const event of this.eventsOf(CONTRIBUTES, method))
          this.contribute(event, (published) => (method as Contributor).call(instance, published));
      }
    }
  }

  private eventsOf(key: string, method: Parameters<Reflector['get']>[1]): readonly Type<object>[] {
    return this.reflector.get<readonly Type<object>[] | undefined>(key, method) ?? [];
  }

  /** Adds a listener of the in-transaction phase by hand. */
  listen(event: Type<object>, listener: InTransactionListener): void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  /** Adds a contributor by hand. */
  contribute(event: Type<object>, contributor: Contributor): void {
    this.contributors.set(event, [...(this.contributors.get(event) ?? []), contributor]);
  }

  /** What the contributors add to a change that is about to be stored. */
  async contributions(event: object): Promise<readonly Contribution[]> {
    const contributors = this.contributors.get(event.constructor as Type<object>);
    if (!contributors) return [];
    return (await Promise.all(contributors.map((contributor) => contributor(event)))).flat();
  }

  hasInTransactionListeners(event: Type<object>): boolean {
    return this.listeners.has(event);
  }

  async inTransaction(event: object, manager: EntityManager): Promise<void> {
    for (const listener of this.listeners.get(event.constructor as Type<object>) ?? [])
      await listener(event, manager);
  }

  announce(event: DomainEvent): void {
    try {
      this.emitter.emit(event.name, event);
    } catch (error) {
      this.logger.error(`A listener of ${event.name} failed.`, stackOf(error));
    }
  }
}
