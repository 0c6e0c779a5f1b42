import { AppError } from '../../platform/common/errors/app-error.js';

export const noAction = () =>
  new AppError(400, 'api.web_socket_router.no_action.app_error', 'No websocket action.');

export const badSequence = () =>
  new AppError(400, 'api.web_socket_router.bad_seq.app_error', 'Invalid sequence for websocket message.');

export const notAuthenticated = () =>
  new AppError(
    401,
    'api.web_socket_router.not_authenticated.app_error',
    'WebSocket connection is not authenticated. Please log in and try again.',
  );

/** As the contract requires: the action is unknown. */
export const unknownAction = () =>
  new AppError(500, 'api.web_socket_router.bad_action.app_error', 'Unknown websocket action.');

export const invalidFrameParam = (param: string) =>
  new AppError(400, 'api.websocket_handler.invalid_param.app_error', `Invalid ${param} parameter.`);

export const upgradeRequired = () =>
  new AppError(
    400,
    'api.web_socket.connect.upgrade.app_error',
    'This is the URL of a WebSocket; the request is not an upgrade.',
  );

export const foreignOrigin = () =>
  new AppError(403, 'api.web_socket.connect.check_origin.app_error', 'Pages of this origin cannot connect.');

/** A connection is refused, and the client may try again after some seconds. */
const tooMany = (status: 429 | 503, what: string, message: string, seconds = 5) =>
  new AppError(status, `api.web_socket.connect.${what}.app_error`, message, {
    headers: { 'Retry-After': String(seconds) },
  });

export const tooManyAnonymous = (max: number) =>
  tooMany(
    429,
    'too_many_from_address',
    `${max} connections from your address are not authenticated yet. Authenticate them, or try again in 5 seconds.`,
  );

export const tooManyOfUser = (max: number) =>
  tooMany(
    429,
    'too_many_of_user',
    `You have ${max} open connections, which is the maximum. Close one, or try again in 5 seconds.`,
  );

export const tooManyFrames = (max: number, windowMs: number): AppError => {
  const seconds = Math.ceil(windowMs / 1000);
  const limit = `You sent more than ${max} frames within ${seconds} seconds, or opened too many connections.`;
  return tooMany(429, 'too_many_frames', `${limit} Try again in ${seconds} seconds.`, seconds);
};

export const tooManyConnections = () =>
  tooMany(503, 'too_many', 'The server has too many connections; try again later.');
