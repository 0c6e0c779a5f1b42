import type { Request } from 'express';

/** What our middleware puts on every request. */
export interface HttpRequest extends Request {
  requestId: string;
  startedAt: number;
  /** True when it came in over the Unix socket of local mode. */
  isLocal: boolean;
  /** The whole body as bytes, within the limit. Empty when there was none. */
  body: Buffer;
}
