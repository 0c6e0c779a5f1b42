import type { Response } from 'express';
import { writeJson } from '../../platform/common/http/responses.js';
import { ExecutedDto } from '../dto/payload.dto.js';
import type { Executed } from './hook-execution.service.js';

/** Responds to a posted payload with plain-text `ok`, or with the post IDs as JSON. */
export function writeExecuted(response: Response, executed: Executed, withIds: boolean): void {
  if (executed.isReplay) response.setHeader('Idempotency-Replayed', 'true');
  if (withIds) return writeJson(response, 200, ExecutedDto.from(executed));
  response.setHeader('Content-Type', 'text/plain'); // Express itself would add a charset
  response.setHeader('Content-Length', 2);
  response.end('ok');
}
