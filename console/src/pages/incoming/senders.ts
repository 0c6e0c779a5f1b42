import type { Schemas } from '../../api/client';
import type { IncomingHook } from './incoming-queries';

export type Format = IncomingHook['format'];
export type Preset = NonNullable<Schemas['GivenVerifierDto']['preset']>;

/** How a webhook can read its calls: title and hint. */
export const FORMATS: Readonly<Record<Format, readonly [title: string, hint: string]>> = {
  mattermost: ['Mattermost or Slack', 'Payloads of Mattermost and Slack, such as {"text": "…"}.'],
  github: ['GitHub', 'GitHub events, sent with the content type application/json.'],
  gitlab: ['GitLab', 'Events of GitLab projects and groups.'],
  gitea: ['Gitea, Forgejo or Gogs', 'Events of Gitea, Forgejo and Gogs.'],
  grafana: ['Grafana', 'Alerts of a Grafana webhook contact point.'],
  alertmanager: ['Alertmanager', 'Alerts of an Alertmanager webhook receiver.'],
  sentry: ['Sentry', 'Issues and alerts of a Sentry integration.'],
  teams: ['Microsoft Teams', 'Message cards and Adaptive Cards for Microsoft Teams.'],
  cloudevents: ['CloudEvents', 'One CloudEvent 1.0 per call.'],
  template: ['A template', 'Any body. Your template makes the message.'],
};

/** First items of lists, by their keys: the titles of formats, senders and verifiers. */
export const titlesOf = <K extends string>(of: Readonly<Record<K, readonly [string, ...unknown[]]>>) =>
  Object.fromEntries(
    Object.entries<readonly [string, ...unknown[]]>(of).map(([key, [title]]) => [key, title]),
  ) as Record<K, string>;

/** Where a sender is set up, and what the fields for the address and the secret are called there. */
export type Setup = readonly [
  title: string,
  place: string,
  address: string,
  secret?: string,
  origin?: 'issued',
];

/** Senders whose calls prove nothing. */
const PLAIN = {
  mattermost: ['Script or program', 'Settings for Mattermost or Slack', 'Webhook URL'],
  jenkins: ['Jenkins', 'Manage Jenkins → System → Global Mattermost Notifier Settings', 'Endpoint'],
  'uptime-kuma': ['Uptime Kuma', 'Settings → Notifications → Setup Notification → Mattermost', 'Webhook URL'],
  teams: ['Microsoft Teams senders', 'Settings for Microsoft Teams', 'Webhook URL'],
  cloudevents: ['CloudEvents', 'Settings of the event source', 'Sink'],
  template: ['Anything else', 'Webhook settings', 'URL'],
} as const satisfies Readonly<Record<string, Setup>>;

/** Senders whose way of proving calls the server knows. The secrets of some are issued by the sender. */
export const PRESETS: Readonly<Record<Preset, Setup>> = {
  github: ['GitHub', 'Repository → Settings → Webhooks → Add webhook', 'Payload URL', 'Secret'],
  gitlab: ['GitLab', 'Project → Settings → Webhooks → Add new webhook', 'URL', 'Secret token'],
  grafana: ['Grafana', 'Alerting → Contact points → Add → Webhook', 'URL', 'HMAC signature → Secret'],
  alertmanager: ['Alertmanager', 'alertmanager.yml → receivers → webhook_configs', 'url', 'credentials'],
  sentry: ['Sentry', 'Settings → Custom Integrations', 'Webhook URL', 'Client Secret', 'issued'],
  stripe: ['Stripe', 'Workbench → Webhooks → Add destination', 'Endpoint URL', 'Signing secret', 'issued'],
  linear: ['Linear', 'Settings → API → New webhook', 'URL', 'Signing secret', 'issued'],
  jira: ['Jira', 'Settings → System → WebHooks → Create a WebHook', 'URL', 'Secret'],
  bitbucket: ['Bitbucket', 'Repository settings → Webhooks → Add webhook', 'URL', 'Secret'],
  buildkite: ['Buildkite', 'Settings → Notification Services → Webhook', 'Webhook URL', 'Token', 'issued'],
  'cal.com': ['Cal.com', 'Settings → Developer → Webhooks → New', 'Subscriber URL', 'Secret'],
  calendly: ['Calendly', 'API → POST /webhook_subscriptions', 'url', 'signing_key'],
  circleci: ['CircleCI', 'Project Settings → Webhooks → Add Webhook', 'Receiver URL', 'Secret token'],
  clerk: ['Clerk', 'Configure → Webhooks → Add Endpoint', 'Endpoint URL', 'Signing Secret', 'issued'],
  cloudflare: ['Cloudflare', 'Notifications → Destinations → Webhooks → Create', 'URL', 'Secret'],
  dropbox: ['Dropbox', 'App Console → your app → Settings', 'Webhook URIs', 'App secret', 'issued'],
  forgejo: ['Forgejo', 'Repository → Settings → Webhooks → Add webhook', 'Target URL', 'Secret'],
  gitea: ['Gitea', 'Repository → Settings → Webhooks → Add Webhook', 'Target URL', 'Secret'],
  'gitlab-signed': ['GitLab, signed', 'Project → Settings → Webhooks', 'URL', 'Signing token', 'issued'],
  gogs: ['Gogs', 'Repository → Settings → Webhooks → Add a new webhook', 'Payload URL', 'Secret'],
  heroku: ['Heroku', 'Command line → heroku webhooks:add', '--url', '--secret'],
  hubspot: ['HubSpot', 'Developer account → your app → Webhooks', 'Target URL', 'Client secret', 'issued'],
  intercom: ['Intercom', 'Developer Hub → your app → Webhooks', 'Endpoint URL', 'Client secret', 'issued'],
  launchdarkly: ['LaunchDarkly', 'Integrations → Webhooks → Add integration', 'URL', 'Secret'],
  mux: ['Mux', 'Settings → Webhooks → Create new webhook', 'URL to notify', 'Signing secret', 'issued'],
  openai: ['OpenAI', 'Project settings → Webhooks → Create', 'Endpoint URL', 'Signing secret', 'issued'],
  paddle: ['Paddle', 'Developer Tools → Notifications → New destination', 'URL', 'Secret key', 'issued'],
  pagerduty: ['PagerDuty', 'Integrations → Generic Webhooks (v3)', 'Webhook URL', 'Secret', 'issued'],
  resend: ['Resend', 'Webhooks → Add Webhook', 'Endpoint URL', 'Signing Secret', 'issued'],
  shopify: ['Shopify', 'Settings → Notifications → Webhooks', 'URL', 'Signing secret', 'issued'],
  slack: ['Slack events', 'Your app → Event Subscriptions', 'Request URL', 'Signing Secret', 'issued'],
  square: ['Square', 'Your application → Webhooks', 'Notification URL', 'Signature key', 'issued'],
  'standard-webhooks': ['Standard Webhooks', 'Webhook settings', 'URL', 'Secret', 'issued'],
  svix: ['Svix', 'Application → Endpoints → Add Endpoint', 'Endpoint URL', 'Signing Secret', 'issued'],
  telegram: ['Telegram', 'Bot API → setWebhook', 'url', 'secret_token'],
  telnyx: ['Telnyx', 'Messaging → your profile', 'Webhook URL', 'Public key', 'issued'],
  'terraform-cloud': ['Terraform Cloud', 'Workspace → Settings → Notifications', 'Webhook URL', 'Token'],
  trello: ['Trello', 'API → POST /1/webhooks', 'callbackURL', 'API secret', 'issued'],
  twilio: ['Twilio', 'Phone Numbers → your number → Configure', 'Webhook', 'Auth token', 'issued'],
  typeform: ['Typeform', 'Form → Connect → Webhooks → Add a webhook', 'Endpoint', 'Secret'],
  vercel: ['Vercel', 'Team Settings → Webhooks → Create Webhook', 'Endpoint URL', 'Secret', 'issued'],
  woocommerce: ['WooCommerce', 'Settings → Advanced → Webhooks → Add webhook', 'Delivery URL', 'Secret'],
  zoom: ['Zoom', 'Your app → Event Subscriptions', 'Event notification URL', 'Secret Token', 'issued'],
};

const { mattermost, template, ...OTHERS } = PLAIN;
/** All senders, the most common ones first. */
export const SENDERS: Readonly<Record<string, Setup>> = { mattermost, ...PRESETS, ...OTHERS, template };

export const setupOf = (sender: string): Setup => SENDERS[sender] ?? mattermost;

const FORMAT_OF: Readonly<Record<string, Format>> = {
  ...{ forgejo: 'gitea', gogs: 'gitea', 'gitlab-signed': 'gitlab' },
  ...{ jenkins: 'mattermost', 'uptime-kuma': 'mattermost' },
};

const isFormat = (name: string): name is Format => name in FORMATS;
const isPreset = (name: string): name is Preset => name in PRESETS;

/** Where the events of senders without a format have their names. */
const EVENT_NAMES = ['event.event_type', 'event_type', 'triggerEvent', 'event', 'action', 'name'];

/** First settings of a webhook for a sender. */
export function settingsFor(sender: string) {
  const [title, , , , origin] = setupOf(sender);
  const format = FORMAT_OF[sender] ?? (isFormat(sender) ? sender : 'template');
  const names = EVENT_NAMES.map((name) => ` | default: body.${name}`).join('');
  return {
    display_name: sender in PRESETS || sender in FORMAT_OF ? title : '',
    format,
    template: format === 'template' ? `**${title}**: {{ body.type${names} | literal }}` : '',
    keep_requests: format === 'template', // templates are written with kept calls at hand
    /** Empty if the sender issues the secret, which is known only after it has the URL. */
    verifier: isPreset(sender) && origin !== 'issued' ? sender : ('' as const),
  };
}

/** The sender of a webhook, as far as its settings tell. */
export const senderOf = ({ verifier, format }: IncomingHook): string => verifier?.preset ?? format;
