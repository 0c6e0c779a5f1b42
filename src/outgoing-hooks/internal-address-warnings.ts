import { isIP } from 'node:net';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { AddressGuard } from '../delivery/outbound/address-guard.js';
import { addWarning } from '../platform/common/http/warnings.js';
import type { OutgoingHookDto } from './dto/outgoing-hook.dto.js';

/**
 * Names callback URLs that are stored but will not be called, since they hold an internal address that is not allowed.
 * What a name resolves to may change, so names are judged when they are called.
 */
@Injectable()
export class InternalAddressWarnings implements NestInterceptor {
  constructor(private readonly guard: AddressGuard) {}

  intercept(context: ExecutionContext, next: CallHandler<OutgoingHookDto>): Observable<OutgoingHookDto> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap(({ callback_urls: urls }) => {
        const refused = new Set(urls.flatMap((url) => this.refusedAddress(url) ?? []));
        if (refused.size > 0)
          addWarning(
            response,
            `callback_urls: ${[...refused].join(', ')} will not be called; ALLOWED_INTERNAL_HOSTS does not name it`,
          );
      }),
    );
  }

  private refusedAddress(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined;
    const { hostname, port, protocol } = new URL(url);
    const address = hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) === 0) return undefined;
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
    return this.guard.allows(hostname, address, number) ? undefined : address;
  }
}
