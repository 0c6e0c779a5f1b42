/* What the fields say that a webhook has when it is created and when it is replaced. */

export const USERNAME = {
  description: 'The name to post as: 1 to 64 of a–z, 0–9, dot, dash, underscore.',
  example: 'build-bot',
};

export const ICON_URL = {
  description: 'The picture to post with; at most 1024 bytes.',
  example: 'https://example.com/bot.png',
};

export const KEEP_REQUESTS = {
  description: 'Keep calls that were posted, too, and not only those that were refused.',
};

export const CHANNEL_LOCKED = {
  description:
    'Post into this channel only. Always true for callers without `bypass_incoming_webhook_channel_lock`.',
};
