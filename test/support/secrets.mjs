/** The secrets that pass through the test clients, and the search for them in logs and other output. */

/** Tokens and ids, which all look alike. @type {Map<string, string>} */
const ids = new Map();
/** All others, including their JSON-escaped form. @type {Map<string, string>} */
const texts = new Map();

const ID = /^[a-z0-9]{26}$/;
/** Shorter ones, like "x", occur everywhere. */
const SHORTEST = 8;
/** Fields that hold a secret wherever they occur. */
const ofRequests = new Map([
  ['password', 'password'],
  ['current_password', 'password'],
  ['new_password', 'password'],
  ['secret', 'secret of a verifier'],
  ['client_secret', 'client secret'],
]);
const ofAnswers = new Map([
  ...ofRequests,
  ['token', 'token'],
  ['remote_token', 'token of a peer'],
  ['refreshed_token', 'token of a peer'],
  ['signing_secret', 'signing secret'],
  ['invite', 'invite'],
]);

/** Remembers a secret, with its kind for reports. */
export function learnSecret(/** @type {string} */ kind, /** @type {string | undefined} */ secret) {
  if (secret === undefined || secret.length < SHORTEST) return;
  if (ID.test(secret)) ids.set(secret, kind);
  else for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) texts.set(form, kind);
}

/** Remembers the secrets in the settings of a server. */
export function learnSettings(/** @type {Readonly<Record<string, string | undefined>>} */ env) {
  for (const name of ['SECRET_KEY', 'SECRET_KEY_PREVIOUS']) learnSecret('key', env[name]);
  learnSecret('password', env.ADMIN_PASSWORD);
  learnSecret('token of the metrics', env.METRICS_TOKEN);
  if (env.OUTGOING_PROXY && URL.canParse(env.OUTGOING_PROXY))
    learnSecret('password of the proxy', new URL(env.OUTGOING_PROXY).password);
  if (env.DATABASE_URL) learnSecret('password of the database', new URL(env.DATABASE_URL).password);
}

/** Remembers the secrets in a request and its answer. @param {import('./api-client.mjs').Exchange} exchange */
export function learnFrom({ path, payload, answer }) {
  learnFields(String(payload ?? ''), ofRequests);
  const { status, headers, body, text } = answer;
  if (status >= 300) return;
  learnFields(text, ofAnswers);
  learnSecret('session token', headers.token?.toString());
  for (const cookie of [headers['set-cookie'] ?? []].flat()) {
    const [, name, value] = /^(MMAUTHTOKEN|MMCSRF)=([^;]+)/.exec(cookie) ?? [];
    learnSecret(name === 'MMCSRF' ? 'CSRF token' : 'session token', value);
  }
  if (path.endsWith('/generate_invite') && typeof body === 'string') learnSecret('invite', body);
  if (/^\/api\/v4\/hooks\/incoming\b/.test(path) && !path.includes('/requests'))
    for (const hook of [body?.incoming_webhooks ?? body].flat()) {
      learnSecret('id of an incoming webhook', hook?.id);
      learnSecret('path of an incoming webhook', hook?.rocketchat_path);
    }
}

/** @param {string} json @param {Map<string, string>} kinds */
function learnFields(json, kinds) {
  for (const [, name = '', value = ''] of json.matchAll(/"(\w+)" ?: ?("(?:[^"\\]|\\.)+")/g)) {
    const kind = kinds.get(name);
    if (kind) learnSecret(kind, JSON.parse(value));
  }
}

/** The kinds of the secrets in a text. */
export function findSecrets(/** @type {string} */ text) {
  const kinds = new Set();
  for (const [run] of text.matchAll(/[a-z0-9]{26,}/g))
    for (let at = 0; at + 26 <= run.length; at++) kinds.add(ids.get(run.slice(at, at + 26)));
  for (const [secret, kind] of texts) if (text.includes(secret)) kinds.add(kind);
  kinds.delete(undefined);
  return /** @type {string[]} */ ([...kinds]);
}

/** The text with the kinds of secrets instead of the secrets. */
export function withoutSecrets(/** @type {string} */ text) {
  for (const [secret, kind] of texts) text = text.replaceAll(secret, `[${kind}]`);
  for (const [secret, kind] of ids) text = text.replaceAll(secret, `[${kind}]`);
  return text;
}

export function forgetSecrets() {
  ids.clear();
  texts.clear();
}
