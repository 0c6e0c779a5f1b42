/* The second address of a webhook: a path that Slack or Rocket.Chat gave its senders. A webhook has at most one. */

const SLACK = /^T[A-Z0-9]{2,20}\/B[A-Z0-9]{2,20}\/[A-Za-z0-9]{16,64}$/;
const ROCKETCHAT = /^[A-Za-z0-9]{17,40}\/[\w-]{24,64}$/;
const SLACK_URL = /^\/services\/([^?]+)/;
/** The id and the token; a user id between them has no meaning. */
const ROCKETCHAT_URL = /^\/hooks\/([^/?]+)\/(?:(?!messages\/)[^/?]+\/)?([^/?]+)(?:\?|$)/;

/** Whether a text is a path below `/services/` (docs/contract/incoming-webhooks.md#slack-paths). */
export const isSlackPath = (path: string): boolean => SLACK.test(path);

/** Whether a text is a path of Rocket.Chat below `/hooks/` (docs/contract/incoming-webhooks.md#rocketchat-paths). */
export const isRocketChatPath = (path: string): boolean => ROCKETCHAT.test(path);

/** The path in the URL of a call; undefined if the call has none. */
export function aliasPathOf(method: string, url: string): string | undefined {
  if (method === 'POST' && SLACK_URL.test(url)) return SLACK_URL.exec(url)?.[1];
  if (method !== 'POST' && method !== 'GET') return undefined;
  const path = ROCKETCHAT_URL.exec(url)?.slice(1).join('/') ?? '';
  return isRocketChatPath(path) ? path : undefined;
}

/* The documentation of the fields. */

export const SLACK_PATH = {
  description:
    'A path such as those of Slack, for senders that accept only such URLs: `/services/{slack_path}` is then a second address. The last part has 16 to 64 characters; empty: none.',
  example: 'T0HOOKLINE/B0BUILDS/x7Yq2fKdLw9sPz4mNcVb1A8e',
};

export const ROCKETCHAT_PATH = {
  description:
    'The id and the token of an integration of Rocket.Chat, for its senders: `/hooks/{rocketchat_path}` is then a second address. Not together with a Slack path; empty: none.',
  example: 'aB3dE5fG7hJ9kL2mN/pQ4rS6tU8vW2xY5zA7bC9dE3',
};
