import type { Request } from 'express';

/** A request with the properties that our middleware sets. */
export interface HttpRequest extends Request {
  requestId: string;
  startedAt: number;
  /** Received on the Unix socket of local mode. */
  isLocal: boolean;
  /** Received on METRICS_PORT. */
  isForMetrics?: boolean;
  /** The raw body; empty if none. */
  body: Buffer;
}
