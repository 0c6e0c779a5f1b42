import type { Type } from '@nestjs/common';
import type { DomainEvent } from './domain-event.js';

/** The two moments at which a listener hears of an event. */
export type Phase = 'in transaction' | 'after commit';

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
 * The method hears of the event after its commit, in any provider or controller. A failure is logged and reaches nobody
 * else. A method may listen to several events.
 */
export const On = <E extends DomainEvent>(event: Type<E>): ListenerMethod<E, unknown> =>
  subscribe('after commit', event);

/**
 * The method runs inside the unit of work that publishes the event, and writes what must exist if and only if the change
 * does. Its failure fails the change. It may run again when the transaction is repeated.
 */
export const InTransaction = <E extends DomainEvent>(event: Type<E>): ListenerMethod<E, Promise<void>> =>
  subscribe('in transaction', event);

/** What a method listens to, in the order in which its decorators stand. */
export function subscriptionsOf(method: object): readonly Subscription[] {
  return (Reflect.getMetadata(SUBSCRIPTIONS, method) as Subscription[] | undefined) ?? [];
}

function subscribe<E extends DomainEvent, R>(phase: Phase, event: Type<E>): ListenerMethod<E, R> {
  return (_target, _name, { value: method }) => {
    if (method) Reflect.defineMetadata(SUBSCRIPTIONS, [{ phase, event }, ...subscriptionsOf(method)], method);
  };
}
