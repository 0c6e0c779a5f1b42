/** The row stands for calls that are never made, because the subject triggers too many. */
export const MESSAGE_LIMIT = 'message_limit';
/** The subject was deleted, and the body with it. */
export const POST_DELETED = 'post_deleted';
/** The reasons of deliveries that are never sent again. */
export const FINAL_REASONS = [MESSAGE_LIMIT, POST_DELETED] as const;
