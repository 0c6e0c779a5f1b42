import type { Type } from '@nestjs/common';
import type { DomainEvent } from './domain-event.js';

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

/**
 * Runs a method of a provider or controller after the commit of the event. Errors are logged and do not reach the
 * publisher. A method may listen to several events.
 */
export const On = <E extends DomainEvent>(event: Type<E>): ListenerMethod<E, unknown> =>
  subscribe('after commit', event);

/**
 * As `@On`, and in the other processes that share the database as well, within a second. For what a process keeps in memory
 * or tells its own clients; the event must be made of ids and facts that JSON can hold.
 */
export const OnEverywhere = <E extends DomainEvent>(event: Type<E>): ListenerMethod<E, unknown> =>
  subscribe('everywhere', event);

/**
 * Runs a method inside the unit of work that publishes the event, to write rows that must exist if and only if the
 * change does. An error fails the change. The method runs again if the transaction is retried.
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
