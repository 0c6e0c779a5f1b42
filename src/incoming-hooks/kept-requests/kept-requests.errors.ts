import { AppError } from '../../platform/common/errors/app-error.js';

/** Of another webhook, never kept, or dropped since. */
export const keptRequestNotFound = () =>
  new AppError(
    404,
    'app.webhooks.get_incoming_request.app_error',
    'No such call is kept. Older calls make room for newer ones, and after seven days each is deleted.',
  );

/** Not the whole body is kept. */
export const keptRequestCut = (limitBytes: number) =>
  new AppError(
    400,
    'app.webhooks.replay_incoming_request.cut.app_error',
    `This call cannot be repeated: of a body at most ${limitBytes} bytes are kept, and none of one that was refused unread. Send it again from where it came from.`,
  );
