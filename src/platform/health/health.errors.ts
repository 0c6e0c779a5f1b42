import { AppError } from '../common/errors/app-error.js';

/** 503: the server is stopping and accepts no new work. */
export class ServerStopping extends AppError {
  readonly id = 'app.server.stopping.app_error';
  readonly status = 503;
  override readonly headers = { 'Retry-After': '5' };
  constructor() {
    super('The server is stopping.');
  }
}
