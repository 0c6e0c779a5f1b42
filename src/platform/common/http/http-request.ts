import type { Request } from 'express';

/** A request with the properties that our middleware sets. */
export interface HttpRequest extends Request {
  requestId: string;
  startedAt: number;
  isLocal: boolean;
  isForMetrics?: boolean;
  /** The raw body; empty if none. */
  body: Buffer;
  /** Stops counting the request as running, while it only waits for something. */
  yieldPlace?: () => void;
}
