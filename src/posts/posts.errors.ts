import { AppError } from '../common/errors/app-error.js';
import { NotFound, ValidationFailed } from '../common/errors/common-errors.js';

export class PostNotFound extends NotFound {
  constructor() {
    super('app.post.get.app_error', 'No such post.');
  }
}

/** 503: more posts are waiting to be stored than the server holds. Nothing was stored. */
export class PostWriterOverloaded extends AppError {
  readonly id = 'app.post.overloaded.app_error';
  readonly status = 503;
  override readonly headers = { 'Retry-After': '1' };
  constructor() {
    super('Too many posts are waiting to be stored. Try again in a moment.');
  }
}

/** 400: the channel is archived. */
export class ChannelIsArchived extends AppError {
  readonly status = 400;
  constructor(readonly id: string) {
    super('The channel is archived.');
  }
}

/** 400: `root_id` names no thread that can be replied to in this channel. */
export class InvalidRoot extends ValidationFailed {
  constructor(reason: 'missing' | 'other channel') {
    super(
      reason === 'missing'
        ? 'api.post.create_post.root_id.app_error'
        : 'api.post.create_post.channel_root_id.app_error',
      'root_id',
      reason === 'missing' ? 'it must be the first post of a thread.' : 'it is a post of another channel.',
    );
  }
}
