import type { Type } from '@nestjs/common';
import type { DomainEvent } from './event-bus.js';

/** When a listener runs. */
export type Phase = 'in transaction' | 'after commit' | 'everywhere';

interface Subscription {
  readonly phase: Phase;
  readonly event: Type<DomainEvent>;
}

type ListenerMethod<E, R> = <M extends (event: E) => R>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

const SUBSCRIPTIONS = Symbol('hookline:subscriptions');

/** Runs a method after the commit of the event. Errors are only logged. It may listen to several events. */
export const On = <E extends DomainEvent>(event: Type<E>): ListenerMethod<E, unknown> =>
  subscribe('after commit', event);

/**
 * Like `@On`, but also called in the other processes that share the database, within a second. For in-memory state,
 * and for messages to the clients of a process. The event may contain only ids and facts that fit in JSON.
 */
export const OnEverywhere = <E extends DomainEvent>(event: Type<E>): ListenerMethod<E, unknown> =>
  subscribe('everywhere', event);

/**
 * Runs a method inside the unit of work that publishes the event, to write rows that must exist if and only
 * if the change does. An error rolls back the change. The method runs again if the transaction is retried.
 */
export const InTransaction = <E extends DomainEvent>(event: Type<E>): ListenerMethod<E, Promise<void>> =>
  subscribe('in transaction', event);

/** The subscriptions of a method, in the order of its decorators. */
export function subscriptionsOf(method: object): readonly Subscription[] {
  return (Reflect.getMetadata(SUBSCRIPTIONS, method) as Subscription[] | undefined) ?? [];
}

function subscribe<E extends DomainEvent, R>(phase: Phase, event: Type<E>): ListenerMethod<E, R> {
  return (_target, _name, { value: method }) => {
    if (method) Reflect.defineMetadata(SUBSCRIPTIONS, [{ phase, event }, ...subscriptionsOf(method)], method);
  };
}
