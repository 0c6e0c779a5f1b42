import type { Type } from '@nestjs/common';
import { type DomainEvent, EventBus } from '../../src/platform/events/event-bus.js';
import type { TestServer } from './test-server.js';

/**
 * Returns the events of these classes that are published during `action` by any instance, in order. `action` receives
 * them live, so it can read stored rows before the announcement.
 */
export async function announcedBy<T extends DomainEvent>(
  server: TestServer,
  events: readonly Type<T>[],
  action: (heard: readonly T[]) => Promise<unknown>,
): Promise<T[]> {
  const heard: T[] = [];
  const removals = server
    .everywhere(EventBus)
    .flatMap((bus) =>
      events.map((event) => bus.listen('after commit', event, (one) => void heard.push(one))),
    );
  try {
    await action(heard);
  } finally {
    for (const remove of removals) remove();
  }
  return heard;
}
