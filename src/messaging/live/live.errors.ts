import { AppError } from '../../platform/common/errors/app-error.js';

/** 400: a frame names no action. */
export class NoAction extends AppError {
  readonly id = 'api.web_socket_router.no_action.app_error';
  readonly status = 400;
  constructor() {
    super('No websocket action.');
  }
}

/** 400: the `seq` of a request is missing or below 1. */
export class BadSequence extends AppError {
  readonly id = 'api.web_socket_router.bad_seq.app_error';
  readonly status = 400;
  constructor() {
    super('Invalid sequence for websocket message.');
  }
}

/** 401: nobody has signed in on this connection. */
export class NotAuthenticated extends AppError {
  readonly id = 'api.web_socket_router.not_authenticated.app_error';
  readonly status = 401;
  constructor() {
    super('WebSocket connection is not authenticated. Please log in and try again.');
  }
}

/** 500, as the contract requires: the action is unknown. */
export class UnknownAction extends AppError {
  readonly id = 'api.web_socket_router.bad_action.app_error';
  readonly status = 500;
  constructor() {
    super('Unknown websocket action.');
  }
}

/** 400: a value in the data of a request is invalid. */
export class InvalidFrameParam extends AppError {
  readonly id = 'api.websocket_handler.invalid_param.app_error';
  readonly status = 400;
  constructor(readonly param: string) {
    super(`Invalid ${param} parameter.`);
  }
}

/** 400: a plain request to the WebSocket endpoint. */
export class UpgradeRequired extends AppError {
  readonly id = 'api.web_socket.connect.upgrade.app_error';
  readonly status = 400;
  constructor() {
    super('This is the address of a WebSocket; the request does not ask for one.');
  }
}

/** 403: a page of another site tries to connect. */
export class ForeignOrigin extends AppError {
  readonly id = 'api.web_socket.connect.check_origin.app_error';
  readonly status = 403;
  constructor() {
    super('Pages of this origin may not connect.');
  }
}

/** 429: too many connections of one address wait for somebody to sign in. */
export class TooManyAnonymous extends AppError {
  readonly id = 'api.web_socket.connect.too_many_from_address.app_error';
  readonly status = 429;
  override readonly headers = { 'Retry-After': '5' };
  constructor(max: number) {
    super(
      `${max} connections from your address have not signed in yet. Sign in there, or try again in 5 seconds.`,
    );
  }
}

/** 429: the user has too many connections. */
export class TooManyOfUser extends AppError {
  readonly id = 'api.web_socket.connect.too_many_of_user.app_error';
  readonly status = 429;
  override readonly headers = { 'Retry-After': '5' };
  constructor(max: number) {
    super(
      `You have ${max} open connections, and more are not allowed. Close one, or try again in 5 seconds.`,
    );
  }
}

/** 429: the user sends too many frames, or opens connections too often. */
export class TooManyFrames extends AppError {
  readonly id = 'api.web_socket.connect.too_many_frames.app_error';
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;
  constructor(max: number, windowMs: number) {
    const seconds = Math.ceil(windowMs / 1000);
    super(
      `You sent more than ${max} frames within ${seconds} seconds, or opened too many connections. Try again in ${seconds} seconds.`,
    );
    this.headers = { 'Retry-After': String(seconds) };
  }
}

/** 503: the limit of connections is reached. */
export class TooManyConnections extends AppError {
  readonly id = 'api.web_socket.connect.too_many.app_error';
  readonly status = 503;
  override readonly headers = { 'Retry-After': '5' };
  constructor() {
    super('The server has too many connections; try again later.');
  }
}
