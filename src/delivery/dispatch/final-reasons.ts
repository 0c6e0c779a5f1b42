/** The row represents calls that are never made because the subject triggers too many. */
export const MESSAGE_LIMIT = 'message_limit';
/** The subject was deleted together with the body. */
export const POST_DELETED = 'post_deleted';
/** Reasons for which a delivery can never be resent. */
export const FINAL_REASONS = [MESSAGE_LIMIT, POST_DELETED] as const;
