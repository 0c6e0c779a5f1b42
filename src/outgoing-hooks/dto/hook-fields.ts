/* What the fields say that several requests have in common. */

export const CHANNEL_ID = {
  description:
    'The channel to watch, public or a private one that the caller can read; empty for the whole team.',
  example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
};

export const TRIGGER_WHEN = {
  description: '0: a trigger word anywhere in the message. 1: the message starts with a trigger word.',
  enum: [0, 1],
};

export const CALLBACK_URLS = {
  description: 'Each of them gets a POST; 1 to 20, http or https.',
  example: ['https://ci.example.com/deploy'],
};

export const CONTENT_TYPE = {
  description: 'The format of the POST.',
  enum: ['application/x-www-form-urlencoded', 'application/json'],
};

export const USERNAME = {
  description: 'The name under which replies are posted; at most 64 bytes.',
  example: 'deployer',
};

export const ICON_URL = {
  description: 'The picture with which replies are posted; at most 1024 bytes.',
  example: 'https://example.com/bot.png',
};

export const TEAM_ID = {
  description: 'A webhook stays in its team: leave it out, or send the stored one.',
  example: '',
};
