import { setTimeout as delay } from 'node:timers/promises';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import { GuardedConnector } from '../delivery/outbound/guarded-connector.js';
import { addWarning } from '../platform/common/http/warnings.js';
import type { SavedOutgoingHookDto } from './dto/outgoing-hook.dto.js';

/** Saving a webhook must not be held up by slow name servers. */
const MAX_WAIT_MS = 500;

/** Finds URLs of a webhook that will not be called. A name that does not resolve in time is skipped. */
@Injectable()
export class CallbackUrlWarnings {
  constructor(private readonly connector: GuardedConnector) {}

  async of(urls: readonly string[], field = 'callback_urls'): Promise<string[]> {
    const refused = { internal: new Set<string>(), own: new Set<string>() };
    const check = async (text: string): Promise<void> => {
      const url = new URL(text);
      const refusal = await this.connector.refusalOf(url);
      if (refusal) refused[refusal.isSelf ? 'own' : 'internal'].add(url.hostname.replace(/^\[|\]$/g, ''));
    };
    const finished = new AbortController();
    const timeout = delay(MAX_WAIT_MS, undefined, { signal: finished.signal });
    await Promise.race([Promise.all(urls.filter((url) => URL.canParse(url)).map(check)), timeout]);
    finished.abort();
    return [
      ...warningsAbout(field, refused.internal, 'ALLOWED_INTERNAL_HOSTS does not contain it'),
      ...warningsAbout(field, refused.own, 'it is this server'),
    ];
  }
}

function warningsAbout(field: string, hosts: ReadonlySet<string>, why: string): string[] {
  return hosts.size === 0 ? [] : [`${field}: ${[...hosts].join(', ')} will not be called; ${why}`];
}

/** Adds warnings about URLs that will not be called to the response body and headers of a save. */
@Injectable()
export class InternalAddressWarnings implements NestInterceptor {
  constructor(private readonly warnings: CallbackUrlWarnings) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<SavedOutgoingHookDto>,
  ): Observable<SavedOutgoingHookDto> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      mergeMap(async (answer) => {
        const { callback_urls: urls, auth } = answer;
        const tokenUrls = auth?.type === 'oauth2' ? [auth.token_url ?? ''] : [];
        const found = [this.warnings.of(urls), this.warnings.of(tokenUrls, 'auth.token_url')];
        const warnings = (await Promise.all(found)).flat();
        for (const warning of warnings) addWarning(response, warning);
        return warnings.length === 0 ? answer : { ...answer, warnings };
      }),
    );
  }
}
