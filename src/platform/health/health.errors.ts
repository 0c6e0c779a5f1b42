import { AppError } from '../common/errors/app-error.js';

/** The server is stopping and accepts no new work. */
export const serverStopping = () =>
  new AppError(503, 'app.server.stopping.app_error', 'The server is stopping.', {
    headers: { 'Retry-After': '5' },
  });
