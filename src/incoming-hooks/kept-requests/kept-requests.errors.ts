import { AppError } from '../../platform/common/errors/app-error.js';
import { NotFound } from '../../platform/common/errors/common-errors.js';

/** 404: of another webhook, never kept, or dropped since. */
export class KeptRequestNotFound extends NotFound {
  constructor() {
    super(
      'app.webhooks.get_incoming_request.app_error',
      'No such call is kept. Older calls make room for newer ones, and after seven days each is deleted.',
    );
  }
}

/** 400: not the whole body is kept. */
export class KeptRequestCut extends AppError {
  readonly id = 'app.webhooks.replay_incoming_request.cut.app_error';
  readonly status = 400;
  constructor(readonly limitBytes: number) {
    super(
      `This call cannot be repeated: of a body at most ${limitBytes} bytes are kept, and none of one that was refused unread. Send it again from where it came from.`,
    );
  }
}
