/* Bodies that Swagger UI offers: each is accepted once the ids are real ones. */

const required = {
  team_id: 'm4agnt8dxtywdgcmo9nwx5kk8w',
  display_name: 'Deployer',
  trigger_words: ['!deploy'],
  callback_urls: ['https://ci.example.com/deploy'],
};

export const CREATE_EXAMPLES = {
  short: { summary: 'What it needs', value: required },
  full: {
    summary: 'In one channel, as JSON',
    value: {
      ...required,
      channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
      description: 'Starts a deployment.',
      trigger_when: 1,
      content_type: 'application/json',
    },
  },
};

export const UPDATE_EXAMPLES = {
  short: {
    summary: 'What it needs',
    value: {
      id: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
      channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
      display_name: 'Deployer',
      description: 'Starts a deployment.',
    },
  },
};

export const PATCH_EXAMPLES = {
  words: { summary: 'Other trigger words', value: { trigger_words: ['!deploy', '!rollback'] } },
  urls: { summary: 'Another receiver', value: { callback_urls: ['https://ci.example.com/v2/deploy'] } },
};
