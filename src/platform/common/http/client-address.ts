import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { clientBlock } from '../ip-address.js';
import type { HttpRequest } from './http-request.js';

/** The longest address that a proxy can pass on: an IPv6 address with a zone and a port. */
const MAX_LENGTH = 80;
/** Every request asks, and most come from few addresses. */
const blocks = new LRUCache<string, string>({ max: 1_000 });

/** What limits per address count a request by: never empty, but for local mode, which has no such limits. */
export function clientAddressOf({ isLocal, ip }: Pick<HttpRequest, 'isLocal' | 'ip'>): string {
  if (isLocal) return '';
  const given = ip?.slice(0, MAX_LENGTH) ?? ''; // a client that has left has no address any more
  const known = blocks.get(given);
  if (known !== undefined) return known;
  const block = clientBlock(given);
  blocks.set(given, block);
  return block;
}

/** The caller's address as limits count it. */
export const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  clientAddressOf(context.switchToHttp().getRequest<HttpRequest>()),
);
