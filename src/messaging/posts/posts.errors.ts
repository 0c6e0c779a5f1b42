import { AppError } from '../../platform/common/errors/app-error.js';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';

export const postNotFound = () => new AppError(404, 'app.post.get.app_error', 'No such post.');

/** On MySQL: the index has too many matches (`innodb_ft_result_cache_limit`), or reading posts takes too long. */
export const tooManyMatches = () =>
  new AppError(
    400,
    'api.post.search_posts.too_many_matches.app_error',
    'Too many posts have these words. Add a rarer word to terms.',
  );

/** Too many posts are waiting to be stored. Nothing was stored. */
export const postWriterOverloaded = () =>
  new AppError(
    503,
    'app.post.overloaded.app_error',
    'Too many posts are waiting to be stored. Try again in a moment.',
    { headers: { 'Retry-After': '1' } },
  );

export const channelIsArchived = (id: string) =>
  new AppError(400, id, 'The channel, or its team, is archived.');

/** 400: `root_id` is not a thread root in this channel. */
export class InvalidRoot extends ValidationFailed {
  constructor(
    rule: 'root_id' | 'channel_root_id' = 'root_id',
    reason = 'it must be the first post of a thread.',
  ) {
    super(`api.post.create_post.${rule}.app_error`, 'root_id', reason);
  }
}

export const postIdGiven = () =>
  new ValidationFailed('app.post.save.existing.app_error', 'id', 'the server assigns the id of a new post.');

/** Only thread roots can have a priority. */
export const priorityOfReply = () =>
  new ValidationFailed(
    'api.post.post_priority.priority_post_only_allowed_for_root_post.request_error',
    'metadata.priority',
    'a reply cannot have a priority.',
  );

/** Acknowledgements and persistent notifications are not supported. */
export const licensedPriority = () =>
  new AppError(
    501,
    'license_error.feature_unavailable',
    'Acknowledgements and persistent notifications are not available.',
  );

export const systemPostUnchangeable = () =>
  new AppError(400, 'api.post.update_post.system_message.app_error', 'A system message cannot be changed.');

export const permanentDeletionDisabled = () =>
  new AppError(501, 'api.post.delete_post.not_enabled.app_error', 'Posts cannot be deleted permanently.');
