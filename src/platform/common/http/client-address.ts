import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { clientBlock } from '../ip-address.js';
import type { HttpRequest } from './http-request.js';

/** The longest address that a proxy can pass on: an IPv6 address with a zone and a port. */
const MAX_LENGTH = 80;
/** Cached because every request needs it, and most come from few addresses. */
const blocks = new LRUCache<string, string>({ max: 1_000 });

/** The key for limits per address. Never empty, except in local mode, which has no such limits. */
export function clientAddressOf({ isLocal, ip }: Pick<HttpRequest, 'isLocal' | 'ip'>): string {
  if (isLocal) return '';
  const given = ip?.slice(0, MAX_LENGTH) ?? ''; // a disconnected client no longer has an address
  const known = blocks.get(given);
  if (known !== undefined) return known;
  const block = clientBlock(given);
  blocks.set(given, block);
  return block;
}

/** The client address as used by limits. */
export const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  clientAddressOf(context.switchToHttp().getRequest<HttpRequest>()),
);
