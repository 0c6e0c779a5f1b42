import { AppError } from '../platform/common/errors/app-error.js';
import { NotFound } from '../platform/common/errors/common-errors.js';

/** 400: the channel cannot be shared, or not over this connection. */
export class ShareRefused extends AppError {
  readonly id = 'api.shared_channel.invite.app_error';
  readonly status = 400;

  static type(): ShareRefused {
    return new ShareRefused('Invalid channel_id: only public and private channels of a team can be shared.');
  }

  static archived(): ShareRefused {
    return new ShareRefused('Invalid channel_id: the channel is archived.');
  }

  static notHome(): ShareRefused {
    return new ShareRefused(
      'Invalid channel_id: the channel comes from another server; only that one shares it.',
    );
  }

  static notConfirmed(): ShareRefused {
    return new ShareRefused('Invalid remote_id: the other server has not confirmed the connection yet.');
  }
}

/** 404: the channel is not shared over this connection. */
export class NotShared extends NotFound {
  constructor() {
    super('api.shared_channel.not_shared.app_error', 'The channel is not shared over this connection.');
  }
}
