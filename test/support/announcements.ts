import { EventEmitter2 } from '@nestjs/event-emitter';
import type { TestServer } from './test-server.js';

/** Gives what `action` announces under these names, in order. */
export async function announcedBy<T extends { readonly name: string }>(
  server: TestServer,
  names: readonly string[],
  action: () => Promise<unknown>,
): Promise<T[]> {
  const emitter = server.app.get(EventEmitter2);
  const heard: T[] = [];
  const hear = (event: T): void => void heard.push(event);
  for (const name of names) emitter.on(name, hear);
  try {
    await action();
  } finally {
    for (const name of names) emitter.off(name, hear);
  }
  return heard;
}
