import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import { addWarning } from '../platform/common/http/warnings.js';
import { CallbackUrlWarnings } from './callback-url-warnings.js';
import type { SavedOutgoingHookDto } from './dto/outgoing-hook.dto.js';

/** Adds to the answer about a saved webhook, and to its headers, which of its callback URLs will not be called. */
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
        const warnings = await this.warnings.of(answer.callback_urls);
        for (const warning of warnings) addWarning(response, warning);
        return warnings.length === 0 ? answer : { ...answer, warnings };
      }),
    );
  }
}
