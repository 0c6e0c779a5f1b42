/* Bodies that Swagger UI offers: each is accepted once the ids are real ones. */

const required = {
  channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  display_name: 'Build server',
  description: 'Tells about each build of the main branch.',
};

export const CREATE_EXAMPLES = {
  short: { summary: 'What it needs', value: required },
  full: {
    summary: 'With a name, a picture and a lock',
    value: {
      ...required,
      username: 'build-bot',
      icon_url: 'https://example.com/bot.png',
      channel_locked: true,
    },
  },
};

const id = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

export const UPDATE_EXAMPLES = {
  short: { summary: 'What it needs', value: { id, ...required } },
  full: { summary: 'With a name, a picture and a lock', value: { id, ...CREATE_EXAMPLES.full.value } },
};
