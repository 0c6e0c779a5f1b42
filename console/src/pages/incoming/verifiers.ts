import type { Schemas } from '../../api/client';

type Verifier = Schemas['VerifierDto'];
type Given = Schemas['GivenVerifierDto'];
type Preset = NonNullable<Given['preset']>;

/** Senders whose way of proving calls the server knows. */
export const PRESETS: Readonly<Record<Preset, string>> = {
  alertmanager: 'Alertmanager',
  bitbucket: 'Bitbucket',
  buildkite: 'Buildkite',
  'cal.com': 'Cal.com',
  calendly: 'Calendly',
  circleci: 'CircleCI',
  clerk: 'Clerk',
  cloudflare: 'Cloudflare',
  dropbox: 'Dropbox',
  forgejo: 'Forgejo',
  gitea: 'Gitea',
  github: 'GitHub',
  gitlab: 'GitLab, by secret token',
  'gitlab-signed': 'GitLab, by signing token',
  gogs: 'Gogs',
  grafana: 'Grafana',
  heroku: 'Heroku',
  hubspot: 'HubSpot',
  intercom: 'Intercom',
  jira: 'Jira',
  launchdarkly: 'LaunchDarkly',
  linear: 'Linear',
  mux: 'Mux',
  openai: 'OpenAI',
  paddle: 'Paddle',
  pagerduty: 'PagerDuty',
  resend: 'Resend',
  sentry: 'Sentry',
  shopify: 'Shopify',
  slack: 'Slack',
  square: 'Square',
  'standard-webhooks': 'Standard Webhooks',
  stripe: 'Stripe',
  svix: 'Svix',
  telegram: 'Telegram',
  telnyx: 'Telnyx',
  'terraform-cloud': 'Terraform Cloud',
  trello: 'Trello',
  twilio: 'Twilio',
  typeform: 'Typeform',
  vercel: 'Vercel',
  woocommerce: 'WooCommerce',
  zoom: 'Zoom',
};

/** A field of a verifier; the first choice is the default. */
export interface VerifierField {
  readonly label: string;
  readonly hint?: string;
  readonly choices?: readonly string[];
  /** A list, one item per line. */
  readonly isList?: boolean;
}

export const FIELDS: Readonly<Record<string, VerifierField>> = {
  header: { label: 'Header', hint: 'The header with the signature or the token.' },
  query: { label: 'Query parameter', hint: 'Instead of a header. URLs end up in logs, so prefer a header.' },
  prefix: { label: 'Prefix', hint: 'What precedes the signature or the token, such as sha256=.' },
  algorithm: { label: 'Hash', choices: ['sha256', 'sha1', 'sha512'] },
  encoding: { label: 'Encoding', choices: ['hex', 'base64'] },
  signed: {
    label: 'What is signed',
    hint: 'body if empty, url-and-form, or a text with {body}, {timestamp}, {id} and {url}.',
  },
  timestamp_header: { label: 'Header with the {timestamp}' },
  timestamp_prefix: {
    label: 'Prefix of the {timestamp}',
    hint: 'If it is in the header with the signature.',
  },
  id_header: { label: 'Header with the {id}' },
  tolerance: { label: 'Tolerance, in seconds', hint: 'How old or early a {timestamp} may be. 300 if empty.' },
  user: { label: 'User' },
  networks: { label: 'Addresses or networks, one per line', hint: 'Such as 203.0.113.0/24.', isList: true },
};

interface VerifierType {
  readonly title: string;
  readonly fields: readonly string[];
}

const TIMED = ['signed', 'timestamp_header', 'timestamp_prefix', 'id_header', 'tolerance'];

/** Ways to verify the calls of other senders. */
export const TYPES: Readonly<Record<string, VerifierType>> = {
  hmac: { title: 'HMAC signature', fields: ['header', 'algorithm', 'encoding', 'prefix', ...TIMED] },
  ed25519: { title: 'Ed25519 signature', fields: ['header', 'encoding', 'prefix', ...TIMED] },
  token: { title: 'Secret token', fields: ['header', 'query', 'prefix'] },
  basic: { title: 'User and password', fields: ['user'] },
  ip: { title: 'IP addresses', fields: ['networks'] },
};

/** The label of a secret; undefined if there is none. */
export function secretLabel(choice: string): string | undefined {
  if (choice === '' || choice === 'ip') return undefined;
  if (choice === 'ed25519' || choice === 'telnyx') return 'Public key of the sender';
  return choice === 'basic' ? 'Password' : 'Secret';
}

/** What the fields of a form contain. */
export interface VerifierDraft {
  /** A preset or a type; empty for none. */
  readonly choice: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly secret: string;
}

export const choiceOf = (verifier: Verifier | null): string => verifier?.preset ?? verifier?.type ?? '';

export function draftOf(verifier: Verifier | null): VerifierDraft {
  const texts = Object.entries(verifier ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join('\n') : String(value),
  ]);
  return { choice: choiceOf(verifier), fields: Object.fromEntries(texts), secret: '' };
}

/** The part of a request that changes a verifier. The secret of the previous kind is no longer valid then. */
export function verifierChange(
  before: VerifierDraft,
  { choice, fields, secret }: VerifierDraft,
): { readonly verifier?: Given | null } {
  const names = TYPES[choice]?.fields ?? [];
  const isNew = choice !== before.choice;
  if (!isNew && names.every((name) => fields[name] === before.fields[name])) return {};
  if (choice === '') return { verifier: null };
  const given = Object.fromEntries(
    names.filter((name) => fields[name]).map((name) => [name, valueOf(name, fields[name] ?? '')]),
  );
  const kind =
    choice in TYPES ? { type: choice as NonNullable<Given['type']> } : { preset: choice as Preset };
  const hasSecret = isNew && secretLabel(choice) !== undefined;
  return { verifier: { ...kind, ...given, ...(hasSecret && { secret, rotate: false }) } };
}

function valueOf(name: string, text: string): string | number | string[] {
  if (name === 'tolerance') return Number(text);
  if (!FIELDS[name]?.isList) return text;
  return text.split(/[\s,]+/).filter((one) => one !== '');
}

/** What proves a call, in words. */
export function describeVerifier({ preset, type, header, query, user, networks = [] }: Verifier): string {
  const sender = preset === undefined ? '' : `${PRESETS[preset].split(',')[0]}: `;
  const place = header ? `the header ${header}` : `the query parameter ${query}`;
  if (type === 'ip') return `${sender}the address of the sender, ${networks.join(', ')}`;
  if (type === 'basic') return `${sender}the user ${user} and a password`;
  return `${sender}a ${type === 'token' ? 'token' : 'signature'} in ${place}`;
}
