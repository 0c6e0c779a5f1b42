import { AppError } from '../../platform/common/errors/app-error.js';

/** 400: a frame names no action. */
export class NoAction extends AppError {
  readonly id = 'api.web_socket_router.no_action.app_error';
  readonly status = 400;
  constructor() {
    super('No websocket action.');
  }
}

/** 400: the number of a request is missing or below 1. */
export class BadSequence extends AppError {
  readonly id = 'api.web_socket_router.bad_seq.app_error';
  readonly status = 400;
  constructor() {
    super('Invalid sequence for websocket message.');
  }
}

/** 401: the connection has not said who it is. */
export class NotAuthenticated extends AppError {
  readonly id = 'api.web_socket_router.not_authenticated.app_error';
  readonly status = 401;
  constructor() {
    super('WebSocket connection is not authenticated. Please log in and try again.');
  }
}

/** 500, as the contract has it: nobody knows the action. */
export class UnknownAction extends AppError {
  readonly id = 'api.web_socket_router.bad_action.app_error';
  readonly status = 500;
  constructor() {
    super('Unknown websocket action.');
  }
}

/** 400: a value in the data of a request cannot be used. */
export class InvalidFrameParam extends AppError {
  readonly id = 'api.websocket_handler.invalid_param.app_error';
  readonly status = 400;
  constructor(readonly param: string) {
    super(`Invalid ${param} parameter.`);
  }
}

/** 400: a plain request where only a WebSocket can be. */
export class UpgradeRequired extends AppError {
  readonly id = 'api.web_socket.connect.upgrade.app_error';
  readonly status = 400;
  constructor() {
    super('This is the address of a WebSocket; the request does not ask for one.');
  }
}

/** 403: a page of another site asks for the stream. */
export class ForeignOrigin extends AppError {
  readonly id = 'api.web_socket.connect.check_origin.app_error';
  readonly status = 403;
  constructor() {
    super('Pages of this origin may not connect.');
  }
}

/** 503: there are as many connections as there may be. */
export class TooManyConnections extends AppError {
  readonly id = 'api.web_socket.connect.too_many.app_error';
  readonly status = 503;
  override readonly headers = { 'Retry-After': '5' };
  constructor() {
    super('The server has as many connections as it may have; try again later.');
  }
}
