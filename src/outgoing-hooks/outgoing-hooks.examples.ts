/* Example bodies in Swagger UI. Each is accepted once its ids are replaced by real ones. */

const required = {
  team_id: 'm4agnt8dxtywdgcmo9nwx5kk8w',
  display_name: 'Deployer',
  trigger_words: ['!deploy'],
  callback_urls: ['https://ci.example.com/deploy'],
};

/** Bodies of POST. */
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

/** Bodies of PUT. */
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

/** Bodies of PATCH. */
export const PATCH_EXAMPLES = {
  words: { summary: 'Other trigger words', value: { trigger_words: ['!deploy', '!rollback'] } },
  urls: { summary: 'Another receiver', value: { callback_urls: ['https://ci.example.com/v2/deploy'] } },
};
