import type { VerifierFields } from './verifier.js';

const hmac = (header: string, rest: VerifierFields = {}): VerifierFields => ({
  type: 'hmac',
  header,
  ...rest,
});
const token = (header: string, prefix = ''): VerifierFields => ({ type: 'token', header, prefix });

const BASE64: VerifierFields = { encoding: 'base64' };
const SHA256: VerifierFields = { prefix: 'sha256=' };
/** The signature header holds the time as well, such as `t=1764633600,v1=…`. */
const TIME_IN_HEADER: VerifierFields = {
  prefix: 'v1=',
  timestamp_prefix: 't=',
  signed: '{timestamp}.{body}',
};
const V0: VerifierFields = { prefix: 'v0=', signed: 'v0:{timestamp}:{body}' };
const SVIX: VerifierFields = {
  type: 'standard-webhooks',
  header: 'svix-signature',
  id_header: 'svix-id',
  timestamp_header: 'svix-timestamp',
};

/**
 * How well-known senders prove who they are, by name (docs/contract/incoming-webhooks.md#presets). A row is the fields
 * of a verifier; those that it omits have their defaults.
 */
export const PRESETS: Readonly<Record<string, VerifierFields>> = {
  alertmanager: token('Authorization', 'Bearer '),
  bitbucket: hmac('X-Hub-Signature', SHA256),
  buildkite: hmac('X-Buildkite-Signature', {
    prefix: 'signature=',
    timestamp_prefix: 'timestamp=',
    signed: '{timestamp}.{body}',
  }),
  'cal.com': hmac('X-Cal-Signature-256'),
  calendly: hmac('Calendly-Webhook-Signature', TIME_IN_HEADER),
  circleci: hmac('circleci-signature', { prefix: 'v1=' }),
  clerk: SVIX,
  cloudflare: token('cf-webhook-auth'),
  dropbox: hmac('X-Dropbox-Signature'),
  forgejo: hmac('X-Forgejo-Signature'),
  gitea: hmac('X-Gitea-Signature'),
  github: hmac('X-Hub-Signature-256', SHA256),
  gitlab: token('X-Gitlab-Token'),
  'gitlab-signed': { type: 'standard-webhooks' },
  gogs: hmac('X-Gogs-Signature'),
  grafana: hmac('X-Grafana-Alerting-Signature'),
  heroku: hmac('Heroku-Webhook-Hmac-SHA256', BASE64),
  hubspot: hmac('X-HubSpot-Signature-v3', {
    ...BASE64,
    timestamp_header: 'X-HubSpot-Request-Timestamp',
    signed: 'POST{url}{body}{timestamp}',
  }),
  intercom: hmac('X-Hub-Signature', { algorithm: 'sha1', prefix: 'sha1=' }),
  jira: hmac('X-Hub-Signature', SHA256),
  launchdarkly: hmac('X-LD-Signature'),
  linear: hmac('Linear-Signature'),
  mux: hmac('mux-signature', TIME_IN_HEADER),
  openai: { type: 'standard-webhooks' },
  paddle: hmac('Paddle-Signature', {
    prefix: 'h1=',
    timestamp_prefix: 'ts=',
    signed: '{timestamp}:{body}',
  }),
  pagerduty: hmac('X-PagerDuty-Signature', { prefix: 'v1=' }),
  resend: SVIX,
  sentry: hmac('Sentry-Hook-Signature'),
  shopify: hmac('X-Shopify-Hmac-Sha256', BASE64),
  slack: hmac('X-Slack-Signature', { ...V0, timestamp_header: 'X-Slack-Request-Timestamp' }),
  square: hmac('x-square-hmacsha256-signature', { ...BASE64, signed: '{url}{body}' }),
  'standard-webhooks': { type: 'standard-webhooks' },
  stripe: hmac('Stripe-Signature', TIME_IN_HEADER),
  svix: SVIX,
  telegram: token('X-Telegram-Bot-Api-Secret-Token'),
  telnyx: {
    type: 'ed25519',
    header: 'telnyx-signature-ed25519',
    ...BASE64,
    timestamp_header: 'telnyx-timestamp',
    signed: '{timestamp}|{body}',
  },
  'terraform-cloud': hmac('X-TFE-Notification-Signature', { algorithm: 'sha512' }),
  trello: hmac('X-Trello-Webhook', { ...BASE64, algorithm: 'sha1', signed: '{body}{url}' }),
  twilio: hmac('X-Twilio-Signature', { ...BASE64, algorithm: 'sha1', signed: 'url-and-form' }),
  typeform: hmac('Typeform-Signature', { ...BASE64, ...SHA256 }),
  vercel: hmac('x-vercel-signature', { algorithm: 'sha1' }),
  woocommerce: hmac('X-WC-Webhook-Signature', BASE64),
  zoom: hmac('x-zm-signature', { ...V0, timestamp_header: 'x-zm-request-timestamp' }),
};
