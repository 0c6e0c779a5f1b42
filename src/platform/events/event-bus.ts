import { Injectable, Logger, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { stackOf } from '../common/errors/stack-of.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { type Phase, subscriptionsOf } from './listeners.js';

interface Listener {
  readonly name: string;
  readonly call: (event: DomainEvent) => unknown;
}

/** Delivers events to methods decorated with `@InTransaction`, `@On` or `@OnEverywhere`. */
@Injectable()
export class EventBus implements OnModuleInit {
  private readonly logger = new Logger(EventBus.name);
  private readonly listeners: Record<Phase, Map<unknown, readonly Listener[]>> = {
    'in transaction': new Map(),
    'after commit': new Map(),
    everywhere: new Map(),
  };

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const wrappers = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    for (const instance of new Set(wrappers.map((wrapper): unknown => wrapper.instance)))
      if (typeof instance === 'object' && instance !== null) this.discover(instance);
  }

  /**
   * Inside a unit of work, in-transaction listeners run immediately, the others after the commit or never if
   * it rolls back. Outside one, the others run at once, and an event with in-transaction listeners throws.
   */
  publish(event: DomainEvent): Promise<void> {
    const participants = this.listeners['in transaction'].get(event.constructor) ?? [];
    if (!this.unitOfWork.isOpen && participants.length > 0)
      throw new Error(`${event.constructor.name} was published outside a unit of work.`);
    return this.publishTo(participants, event);
  }

  /** Adds a listener that is not a decorated method. Returns a function that removes it. */
  listen<E extends DomainEvent>(phase: Phase, event: Type<E>, call: (event: E) => unknown): () => void {
    return this.add(phase, event, { name: call.name || 'a function', call: (e) => call(e as E) });
  }

  private async publishTo(participants: readonly Listener[], event: DomainEvent): Promise<void> {
    for (const { call } of participants) await call(event);
    if (this.listeners.everywhere.has(event.constructor))
      this.unitOfWork.notifyOtherProcesses(topicOf(event.constructor), { ...event });
    this.unitOfWork.afterCommit(() => this.announce(event));
  }

  private announce(event: DomainEvent): void {
    this.call('after commit', event);
    this.call('everywhere', event);
  }

  private call(phase: Phase, event: DomainEvent): void {
    for (const { name, call } of this.listeners[phase].get(event.constructor) ?? []) {
      const report = (error: unknown): void =>
        this.logger.error(`${name} failed on ${event.constructor.name}.`, stackOf(error));
      try {
        Promise.resolve(call(event)).catch(report);
      } catch (error) {
        report(error);
      }
    }
  }

  /** Calls the `everywhere` listeners when another process publishes the event. */
  private subscribeTopic(event: Type<DomainEvent>): void {
    this.unitOfWork.changes.on(topicOf(event), (facts) =>
      this.call('everywhere', Object.assign(Object.create(event.prototype as object) as DomainEvent, facts)),
    );
  }

  private discover(instance: object): void {
    const methods = instance as Record<string, unknown>;
    for (const key of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const method = methods[key];
      if (typeof method !== 'function') continue;
      const name = `${instance.constructor.name}.${key}`;
      for (const { phase, event } of subscriptionsOf(method))
        this.add(phase, event, { name, call: (published) => method.call(instance, published) as unknown });
    }
  }

  private add(phase: Phase, event: unknown, listener: Listener): () => void {
    const listeners = this.listeners[phase];
    if (phase === 'everywhere' && !listeners.has(event)) this.subscribeTopic(event as Type<DomainEvent>);
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    return () =>
      listeners.set(
        event,
        (listeners.get(event) ?? []).filter((one) => one !== listener),
      );
  }
}

function topicOf(event: { readonly name: string }): string {
  return `event:${event.name}`;
}

/** Something that has happened, in the past tense: ids and facts, no entities. In the module's `….events.ts`. */
export interface DomainEvent {
  /** `subject.past_tense`, as in the event table of docs/extending.md. */
  readonly name: string;
}
