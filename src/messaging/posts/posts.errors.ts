import { AppError } from '../../platform/common/errors/app-error.js';
import { FeatureDisabled, NotFound, ValidationFailed } from '../../platform/common/errors/common-errors.js';

export class PostNotFound extends NotFound {
  constructor() {
    super('app.post.get.app_error', 'No such post.');
  }
}

/** 503: too many posts are waiting to be stored. Nothing was stored. */
export class PostWriterOverloaded extends AppError {
  readonly id = 'app.post.overloaded.app_error';
  readonly status = 503;
  override readonly headers = { 'Retry-After': '1' };
  constructor() {
    super('Too many posts are waiting to be stored. Try again in a moment.');
  }
}

/** 400: the channel or its team is archived. */
export class ChannelIsArchived extends AppError {
  readonly status = 400;
  constructor(readonly id: string) {
    super('The channel, or its team, is archived.');
  }
}

/** 400: `root_id` is not the first post of a thread in this channel. */
export class InvalidRoot extends ValidationFailed {
  constructor(reason: 'missing' | 'other channel') {
    super(
      reason === 'missing'
        ? 'api.post.create_post.root_id.app_error'
        : 'api.post.create_post.channel_root_id.app_error',
      'root_id',
      reason === 'missing' ? 'it must be the first post of a thread.' : 'it is a post in another channel.',
    );
  }
}

/** 400: the server assigns the ids of new posts. */
export class PostIdGiven extends ValidationFailed {
  constructor() {
    super('app.post.save.existing.app_error', 'id', 'the server assigns the id of a new post.');
  }
}

/** 400: only the first post of a thread can have a priority. */
export class PriorityOfReply extends ValidationFailed {
  constructor() {
    super(
      'api.post.post_priority.priority_post_only_allowed_for_root_post.request_error',
      'metadata.priority',
      'a reply cannot have a priority.',
    );
  }
}

/** 501: acknowledgements and persistent notifications are not supported. */
export class LicensedPriority extends FeatureDisabled {
  constructor() {
    super(
      'license_error.feature_unavailable',
      'Acknowledgements and persistent notifications are not available.',
    );
  }
}

/** 400: system messages cannot be edited. */
export class SystemPostUnchangeable extends AppError {
  readonly id = 'api.post.update_post.system_message.app_error';
  readonly status = 400;
  constructor() {
    super('A system message cannot be changed.');
  }
}

/** 501: posts cannot be deleted permanently. */
export class PermanentDeletionDisabled extends FeatureDisabled {
  constructor() {
    super('api.post.delete_post.not_enabled.app_error', 'Posts cannot be deleted permanently.');
  }
}
