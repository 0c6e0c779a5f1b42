import type { Response } from 'express';
import type { PingDto } from './dto/ping.dto.js';

/** Sets the headers of a ping with status, and the status code 500 if a part is unhealthy. */
export function applyPingStatus(response: Response, ping: PingDto, hasRestSemantics: boolean): PingDto {
  const { status, database_status: database, filestore_status: files } = ping;
  if (database !== undefined && files !== undefined) {
    response.setHeader('status', status);
    response.setHeader('database_status', database);
    response.setHeader('filestore_status', files);
  }
  if (status !== 'OK' && !hasRestSemantics) response.status(500);
  return ping;
}
