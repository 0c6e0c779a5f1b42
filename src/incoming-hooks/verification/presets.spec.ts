import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExecutionFailed } from '../execution/execution.errors.js';
import { requireProof, type VerifiableCall } from './checks.js';
import { PRESETS } from './presets.js';
import { readVerifier, type SignatureVerifier } from './verifier.js';

const SITE = 'https://chat.example.com';
const PATH = '/hooks/b1f8zcm5wtd5jfzn8u5fxpbkje';
const URL_OF_HOOK = `${SITE}${PATH}`;
const BODY = '{"text":"Build 812 is gr\u00fcn."}';
const NOW = 1_764_633_600_000;
const SECONDS = String(NOW / 1_000);
const SECRET = 'correct horse battery';
const FORM = 'application/x-www-form-urlencoded';

/** A call that a sender makes: its headers, by the published description of that sender. */
interface Sent {
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly secret?: string;
  readonly now?: number;
  readonly path?: string;
  readonly site?: string;
  readonly fields?: object;
}

const mac = (
  text: string,
  encoding: 'hex' | 'base64' = 'hex',
  algorithm = 'sha256',
  key: string | Buffer = SECRET,
): string => createHmac(algorithm, key).update(text).digest(encoding);
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const rawKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64');

/** The example of the Standard Webhooks specification and of Svix. */
const SPECIFIED = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  time: '1614265330',
  body: '{"test": 2432232314}',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const standard = (before: string, { id, time, body, secret, signature } = SPECIFIED): Sent => ({
  headers: { [`${before}-id`]: id, [`${before}-timestamp`]: time, [`${before}-signature`]: signature },
  ...{ body, secret, now: Number(time) * 1_000 },
});

/**
 * One call for each preset. "Published" is an example of the sender's documentation, byte by byte; the others are
 * computed here by the scheme that the documentation describes.
 */
const CALLS: Record<string, Sent> = {
  alertmanager: { headers: { authorization: `Bearer ${SECRET}` } },
  bitbucket: { headers: { 'x-hub-signature': `sha256=${mac(BODY)}` } },
  buildkite: {
    headers: { 'x-buildkite-signature': `timestamp=${SECONDS},signature=${mac(`${SECONDS}.${BODY}`)}` },
  },
  'cal.com': { headers: { 'x-cal-signature-256': mac(BODY) } },
  calendly: { headers: { 'calendly-webhook-signature': `t=${SECONDS},v1=${mac(`${SECONDS}.${BODY}`)}` } },
  circleci: { headers: { 'circleci-signature': `v2=abc,v1=${mac(BODY)}` } },
  clerk: standard('svix'), // published
  cloudflare: { headers: { 'cf-webhook-auth': SECRET } },
  dropbox: { headers: { 'x-dropbox-signature': mac(BODY) } },
  forgejo: { headers: { 'x-forgejo-signature': mac(BODY) } },
  gitea: { headers: { 'x-gitea-signature': mac(BODY) } },
  // published
  github: {
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    ...{ body: 'Hello, World!', secret: "It's a Secret to Everybody" },
  },
  gitlab: { headers: { 'x-gitlab-token': SECRET } },
  'gitlab-signed': standard('webhook'), // published, by the specification
  gogs: { headers: { 'x-gogs-signature': mac(BODY) } },
  grafana: { headers: { 'x-grafana-alerting-signature': mac(BODY) } },
  heroku: { headers: { 'heroku-webhook-hmac-sha256': mac(BODY, 'base64') } },
  hubspot: {
    headers: {
      'x-hubspot-signature-v3': mac(`POST${URL_OF_HOOK}${BODY}${NOW}`, 'base64'),
      'x-hubspot-request-timestamp': String(NOW),
    },
  },
  intercom: { headers: { 'x-hub-signature': `sha1=${mac(BODY, 'hex', 'sha1')}` } },
  jira: { headers: { 'x-hub-signature': `sha256=${mac(BODY)}` } },
  launchdarkly: { headers: { 'x-ld-signature': mac(BODY) } },
  linear: { headers: { 'linear-signature': mac(BODY) } },
  mux: { headers: { 'mux-signature': `t=${SECONDS},v1=${mac(`${SECONDS}.${BODY}`)}` } },
  openai: standard('webhook'), // published, by the specification
  paddle: { headers: { 'paddle-signature': `ts=${SECONDS};h1=${mac(`${SECONDS}:${BODY}`)}` } },
  pagerduty: { headers: { 'x-pagerduty-signature': `v1=${mac('other')},v1=${mac(BODY)}` } },
  resend: standard('svix'), // published
  sentry: { headers: { 'sentry-hook-signature': mac(BODY) } },
  shopify: { headers: { 'x-shopify-hmac-sha256': mac(BODY, 'base64') } },
  // published
  slack: {
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    now: 1_531_420_618_000,
  },
  square: { headers: { 'x-square-hmacsha256-signature': mac(`${URL_OF_HOOK}${BODY}`, 'base64') } },
  'standard-webhooks': standard('webhook'), // published
  stripe: {
    headers: {
      'stripe-signature': `t=${SECONDS},v1=${mac('other')},v1=${mac(`${SECONDS}.${BODY}`)},v0=${mac('test')}`,
    },
  },
  svix: standard('svix'), // published
  telegram: { headers: { 'x-telegram-bot-api-secret-token': SECRET } },
  telnyx: {
    headers: {
      'telnyx-timestamp': SECONDS,
      'telnyx-signature-ed25519': sign(null, Buffer.from(`${SECONDS}|${BODY}`), privateKey).toString(
        'base64',
      ),
    },
    secret: rawKey,
  },
  'terraform-cloud': { headers: { 'x-tfe-notification-signature': mac(BODY, 'hex', 'sha512') } },
  trello: { headers: { 'x-trello-webhook': mac(`${BODY}${URL_OF_HOOK}`, 'base64', 'sha1') } },
  // published
  twilio: {
    headers: { 'x-twilio-signature': 'L/OH5YylLD5NRKLltdqwSvS0BnU=', 'content-type': FORM },
    body: 'Digits=1234&To=%2B18005551212&From=%2B14158675310&Caller=%2B14158675310&CallSid=CA1234567890ABCDE',
    secret: '12345',
    ...{ site: 'https://example.com', path: '/myapp.php?foo=1&bar=2' },
  },
  typeform: { headers: { 'typeform-signature': `sha256=${mac(BODY, 'base64')}` } },
  vercel: { headers: { 'x-vercel-signature': mac(BODY, 'hex', 'sha1') } },
  woocommerce: { headers: { 'x-wc-webhook-signature': mac(BODY, 'base64') } },
  zoom: {
    headers: { 'x-zm-request-timestamp': SECONDS, 'x-zm-signature': `v0=${mac(`v0:${SECONDS}:${BODY}`)}` },
  },
};

/** The message of the refusal; undefined if the call passes. */
function refusalOf(
  fields: object,
  { headers, body = BODY, now = NOW, path = PATH, site = SITE, secret = SECRET }: Sent,
  secrets: readonly string[] = [secret],
  ip = '203.0.113.9',
): string | undefined {
  const call = { headers, body: Buffer.from(body), originalUrl: path, ip } as VerifiableCall;
  try {
    requireProof(readVerifier(fields).verifier, call, { secrets, now, siteUrl: site });
    return undefined;
  } catch (error) {
    if (!(error instanceof ExecutionFailed)) throw error;
    expect(error).toMatchObject({ status: 401, id: 'web.incoming_webhook.unverified.app_error' });
    for (const one of [...secrets, ...Object.values(headers)].filter(({ length }) => length > 8))
      expect(error.message).not.toContain(one);
    return error.message;
  }
}

const isToken = (preset: string): boolean => PRESETS[preset]!.type === 'token';
const isTimed = (preset: string): boolean =>
  PRESETS[preset]!.type === 'standard-webhooks' || PRESETS[preset]!.signed?.includes('{timestamp}') === true;

describe('the preset', () => {
  it('is tested for every sender', () => expect(Object.keys(CALLS)).toEqual(Object.keys(PRESETS)));

  it('is listed in the contract', () => {
    const page = readFileSync(join(__dirname, '../../../docs/contract/incoming-webhooks.md'), 'utf8');
    const [, table = ''] = /^### Presets$([^]*?)^##/m.exec(page) ?? [];
    const rows = [...table.matchAll(/^\| (`.*)\|$/gm)].map(([, row = '']) =>
      row.split(/(?<!\\)\|/).map((cell) => cell.trim()),
    );
    expect(rows).toEqual(
      Object.keys(PRESETS).map((preset) => {
        const { type, header, signed } = readVerifier({ preset }).verifier as SignatureVerifier;
        return [preset, type, header, signed].map((text) => (text ? `\`${text.replace('|', '\\|')}\`` : ''));
      }),
    );
  });

  describe.each(Object.entries(CALLS))('%s', (preset, sent) => {
    const own = sent.secret ?? SECRET;
    const other = preset === 'telnyx' ? Buffer.alloc(32, 7).toString('base64') : `whsec_${'QUJD'.repeat(8)}`;

    it('accepts a call of the sender', () => expect(refusalOf({ preset }, sent)).toBeUndefined());

    it('accepts either secret while they are rotated', () => {
      expect(refusalOf({ preset }, sent, [other, own])).toBeUndefined();
      expect(refusalOf({ preset }, sent, [own, other])).toBeUndefined();
    });

    it('refuses another secret', () => {
      expect(refusalOf({ preset }, sent, [other])).toMatch(/secret/);
      expect(refusalOf({ preset }, sent, [])).toMatch(/secret/);
    });

    it('refuses a call without one of its headers, and names it', () => {
      for (const name of Object.keys(sent.headers).filter((header) => header !== 'content-type')) {
        const { [name]: _, ...headers } = sent.headers;
        expect(refusalOf({ preset }, { ...sent, headers })?.toLowerCase()).toContain(
          `the header ${name} is missing`,
        );
      }
    });

    if (!isToken(preset))
      it('refuses a changed body', () => {
        const body = (sent.body ?? BODY).replace(/^./, '~');
        expect(refusalOf({ preset }, { ...sent, body })).toMatch(/no valid signature/);
      });

    if (isTimed(preset))
      it('refuses a time that is too far away, and one that was changed', () => {
        const now = sent.now ?? NOW;
        for (const away of [-301_000, 301_000])
          expect(refusalOf({ preset }, { ...sent, now: now + away })).toMatch(/more than 300 seconds away/);
        expect(refusalOf({ preset }, { ...sent, now: now + 299_000 })).toBeUndefined();
        const [digits] = /\d{10}/.exec(JSON.stringify(sent.headers))!;
        const headers = JSON.parse(JSON.stringify(sent.headers).replace(digits, String(Number(digits) + 1)));
        expect(refusalOf({ preset }, { ...sent, headers })).toMatch(/no valid signature/);
      });
  });
});

describe('a verifier', () => {
  const hmac = { type: 'hmac', header: 'X-Signature' };
  const signed = { headers: { 'x-signature': mac(BODY) } };

  it('accepts hexadecimal in upper case, and one of several signatures', () => {
    for (const value of [mac(BODY).toUpperCase(), `${mac('x')}, ${mac(BODY)}`])
      expect(refusalOf(hmac, { headers: { 'x-signature': value } })).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['spaces', '  '],
    ['another encoding', mac(BODY, 'base64')],
    ['a part', mac(BODY).slice(0, 62)],
    ['more', `${mac(BODY)}00`],
    ['something after it', `${mac(BODY)}xyz`],
    ['half a byte more', `${mac(BODY)}0`],
    ['another prefix', `sha1=${mac(BODY)}`],
    ['other characters', '\u00fc\u0000\u00ff'],
    ['many signatures before', `${'00,'.repeat(5_000)}${mac(BODY)}`],
  ])('refuses %s', (_, value) => {
    expect(refusalOf(hmac, { headers: { 'x-signature': value } })).toBeDefined();
  });

  it('refuses something after a signature in base64', () => {
    const verifier = { ...hmac, encoding: 'base64' };
    const answerTo = (value: string) => refusalOf(verifier, { headers: { 'x-signature': value } });
    expect(answerTo(mac(BODY, 'base64'))).toBeUndefined();
    expect(answerTo(`${mac(BODY, 'base64')}!`)).toBeDefined();
  });

  it('refuses a payload in the URL unless the URL is signed', () => {
    const path = `${PATH}?wait=true&payload=%7B%7D`;
    expect(refusalOf(hmac, { ...signed, path })).toMatch(/payload is in the URL/);
    const headers = { 'x-signature': mac(`${SITE}${path}\n${BODY}`) };
    expect(
      refusalOf({ ...hmac, signed: '{url}\n{body}'.replace('\n', ' ') }, { headers, path }),
    ).toBeDefined();
    const spaced = { 'x-signature': mac(`${SITE}${path} ${BODY}`) };
    expect(refusalOf({ ...hmac, signed: '{url} {body}' }, { headers: spaced, path })).toBeUndefined();
  });

  it('refuses other times than whole numbers', () => {
    const fields = { ...hmac, timestamp_header: 'X-Time', signed: '{timestamp}{body}' };
    for (const time of [
      '',
      'now',
      '-1',
      '1e9',
      '0x10',
      '1'.repeat(14),
      `${SECONDS}.5`,
      `${SECONDS}, ${SECONDS}`,
    ])
      expect(
        refusalOf(fields, { headers: { 'x-time': time, 'x-signature': mac(time + BODY) } }),
      ).toBeDefined();
  });

  it('signs other bodies than forms by their hash in the URL, as Twilio does', () => {
    const hash = createHash('sha256').update(BODY).digest('hex');
    const call = (path: string, body = BODY): Sent => ({
      headers: {
        'x-twilio-signature': mac(SITE + path, 'base64', 'sha1'),
        'content-type': 'application/json',
      },
      ...{ path, body },
    });
    expect(refusalOf({ preset: 'twilio' }, call(`${PATH}?bodySHA256=${hash}`))).toBeUndefined();
    expect(refusalOf({ preset: 'twilio' }, call(`${PATH}?bodySHA256=${hash}`, '{}'))).toMatch(/bodySHA256/);
    expect(refusalOf({ preset: 'twilio' }, call(PATH))).toMatch(/bodySHA256/);
  });

  it('limits the fields of a signed form', () => {
    const body = 'a=1&'.repeat(1_001);
    const headers = { 'x-twilio-signature': 'AAAA', 'content-type': FORM };
    expect(refusalOf({ preset: 'twilio' }, { headers, body })).toMatch(/more than 1000 fields/);
  });

  it('finds a token in the query', () => {
    const fields = { type: 'token', query: 'token' };
    const path = (value: string): string => `${PATH}?token=${encodeURIComponent(value)}`;
    expect(refusalOf(fields, { headers: {}, path: path(SECRET) })).toBeUndefined();
    for (const wrong of [PATH, path(''), path('wrong'), path(`${SECRET} `)])
      expect(refusalOf(fields, { headers: {}, path: wrong })).toMatch(/query parameter token/);
  });

  it('reads a token as the bytes that were sent', () => {
    const secret = 'schl\u00fcssel \u{1f511}';
    const headers = { 'x-token': Buffer.from(secret).toString('latin1') };
    expect(refusalOf({ type: 'token', header: 'X-Token' }, { headers, secret })).toBeUndefined();
  });

  it('checks a user and a password', () => {
    const basic = (text: string, scheme = 'Basic'): Sent => ({
      headers: { authorization: `${scheme} ${Buffer.from(text).toString('base64')}` },
    });
    const fields = { type: 'basic', user: 'alerts' };
    for (const scheme of ['Basic', 'basic'])
      expect(refusalOf(fields, basic(`alerts:${SECRET}`, scheme))).toBeUndefined();
    for (const wrong of [
      ...[basic('alerts:wrong'), basic(`other:${SECRET}`), basic(`alerts:${SECRET}`, 'Bearer'), basic('')],
      { headers: {} },
    ])
      expect(refusalOf(fields, wrong)).toMatch(/Authorization/);
  });

  it.each([
    ['203.0.113.9', true],
    ['::ffff:203.0.113.9', true],
    ['203.0.113.9:4711', true],
    ['203.0.114.9', false],
    ['2001:db8::1', true],
    ['[2001:db8:1::1]:443', true],
    ['2001:db9::1', false],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['', false],
    ['nonsense', false],
  ])('compares the address %s with its networks', (ip, isIn) => {
    const fields = { type: 'ip', networks: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'] };
    const refusal = refusalOf(fields, { headers: {} }, [], ip);
    if (isIn) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(/address of the sender/);
  });

  it.each<[string, object]>([
    ['preset', { preset: 'nobody' }],
    ['preset', { preset: '__proto__' }],
    ['preset', { preset: 5 }],
    ['type', {}],
    ['type', { type: 'constructor' }],
    ['type', { type: 'rsa' }],
    ['type', { preset: 'github', type: 'token' }],
    ['secret', { preset: 'github', secret: '' }],
    ['secret', { preset: 'github', secret: 5 }],
    ['secret', { preset: 'github', secret: 'a\nb' }],
    ['secret', { preset: 'github', secret: '\u00fc'.repeat(128) }],
    ['rotate', { preset: 'github', rotate: 'no' }],
    ['header', { type: 'hmac' }],
    ['header', { type: 'hmac', header: 'X Y' }],
    ['header', { type: 'hmac', header: 'X-\u00dc' }],
    ['header', { type: 'hmac', header: 'x'.repeat(65) }],
    ['header', { type: 'hmac', header: ['X'] }],
    ['header', { type: 'hmac', header: 'User-Agent' }],
    ['header', { type: 'token', header: 'X-GitHub-Event' }],
    ['header', { type: 'token' }],
    ['header', { type: 'token', header: 'X-Token', query: 'token' }],
    ['query', { type: 'token', query: 'payload' }],
    ['query', { type: 'token', query: 'a b' }],
    ['algorithm', { ...hmac, algorithm: 'md5' }],
    ['encoding', { ...hmac, encoding: 'utf8' }],
    ['prefix', { ...hmac, prefix: 'x'.repeat(33) }],
    ['prefix', { ...hmac, prefix: '\u00fc' }],
    ['signed', { ...hmac, signed: '' }],
    ['signed', { ...hmac, signed: '{timestamp}' }],
    ['signed', { ...hmac, signed: '{body}{body}' }],
    ['signed', { ...hmac, signed: '{body}{query}' }],
    ['signed', { ...hmac, signed: '{{body}' }],
    ['signed', { ...hmac, signed: `${'x'.repeat(128)}{body}` }],
    ['timestamp_header', { ...hmac, signed: '{timestamp}{body}' }],
    ['signed', { ...hmac, timestamp_header: 'X-Time' }],
    ['id_header', { ...hmac, signed: '{id}{body}' }],
    ['signed', { ...hmac, id_header: 'X-Id' }],
    ['timestamp_prefix', { preset: 'slack', timestamp_prefix: 't=' }],
    ['tolerance', { ...hmac, tolerance: 0 }],
    ['tolerance', { ...hmac, tolerance: 86_401 }],
    ['tolerance', { ...hmac, tolerance: 1.5 }],
    ['user', { type: 'basic' }],
    ['user', { type: 'basic', user: 'a:b' }],
    ['networks', { type: 'ip' }],
    ['networks', { type: 'ip', networks: [] }],
    ['networks', { type: 'ip', networks: ['10.0.0.0/33'] }],
    ['networks', { type: 'ip', networks: ['10.0.0/8'] }],
    ['networks', { type: 'ip', networks: ['fe80::1%eth0'] }],
    ['networks', { type: 'ip', networks: ['10.0.0.0/8/8'] }],
    ['networks', { type: 'ip', networks: [5] }],
    ['networks', { type: 'ip', networks: Array.from({ length: 51 }, () => '10.0.0.1') }],
    ['tolerence', { ...hmac, tolerence: 60 }],
    ['user', { ...hmac, user: 'a' }],
    ['constructor', { ...hmac, constructor: 'a' }],
  ])('names %s if it is invalid in %j', (field, fields) => {
    expect(() => readVerifier(fields)).toThrow(`Invalid verifier.${field} in request body: `);
  });

  it('can be sent back as it is shown', () => {
    for (const preset of Object.keys(PRESETS)) {
      const { verifier } = readVerifier({ preset });
      expect(readVerifier({ ...verifier, previous_secret_expires_at: 5 }).verifier).toEqual(verifier);
    }
  });
});
