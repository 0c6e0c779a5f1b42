import type { Response } from 'express';
import { writeJson } from '../../platform/common/http/responses.js';
import type { Outcome } from '../../messaging/posts/idempotency.service.js';
import type { ExecutedDto } from '../dto/payload.dto.js';

/** Answers a payload that is posted: with `ok` as plain text, or as JSON with the ids of the posts. */
export function writeExecuted(response: Response, { postIds, isReplay }: Outcome, withIds: boolean): void {
  if (isReplay) response.setHeader('Idempotency-Replayed', 'true');
  if (withIds) return writeJson(response, 200, { status: 'OK', post_ids: postIds } satisfies ExecutedDto);
  response.setHeader('Content-Type', 'text/plain'); // Express's own way would add a charset
  response.setHeader('Content-Length', 2);
  response.end('ok');
}
