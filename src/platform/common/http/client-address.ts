import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { clientBlock } from '../ip-address.js';
import type { HttpRequest } from './http-request.js';

/** What limits per address count a request by: never empty, but for local mode, which has no such limits. */
export function clientAddressOf({ isLocal, ip }: Pick<HttpRequest, 'isLocal' | 'ip'>): string {
  return isLocal ? '' : clientBlock(ip ?? ''); // a client that has left has no address any more
}

/** The caller's address as limits count it. */
export const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  clientAddressOf(context.switchToHttp().getRequest<HttpRequest>()),
);
