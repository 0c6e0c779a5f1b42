import type { Response } from 'express';
import { PathParam } from '../../platform/common/dto/params.js';
import { RouteNotFound } from '../../platform/common/errors/common-errors.js';
import { writeJson } from '../../platform/common/http/responses.js';
import { isAlphanumeric } from '../../platform/common/ids.js';
import { ExecutedDto } from '../dto/payload.dto.js';
import type { Executed } from './hook-poster.js';

/** The webhook ID in the path. Other characters miss the route; an ID of another length is unknown. */
export const HookIdParam = (): ParameterDecorator =>
  PathParam('id', 'The id of the webhook.', (value) => {
    if (isAlphanumeric(value)) return value;
    throw new RouteNotFound('/hooks/:id');
  });

/** Responds to a posted payload with plain-text `ok`, or with the post IDs as JSON. */
export function writeExecuted(response: Response, executed: Executed, withIds: boolean): void {
  if (executed.isReplay) response.setHeader('Idempotency-Replayed', 'true');
  for (const [name, value] of Object.entries(executed.rate ?? {})) response.setHeader(name, value);
  if (withIds) return writeJson(response, 200, ExecutedDto.from(executed));
  response.setHeader('Content-Type', 'text/plain'); // Express itself would add a charset
  response.setHeader('Content-Length', 2);
  response.end('ok');
}
