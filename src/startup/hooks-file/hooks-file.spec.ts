import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { parseHooksFile } from './hooks-file.js';

const TOP = 'version: 1\nteams: [main]\n';
const hook = (fields: string): string =>
  `${TOP}incoming_webhooks:\n  - team: main\n    name: Builds\n    channel: builds\n    ${fields}\n`;
const outgoing = (fields: string): string =>
  `${TOP}outgoing_webhooks:\n  - team: main\n    name: Deploy\n    ${fields}\n`;
const SECRET = 'secret: {env: HOOKLINE_SECRET_A}';
const NOT_HERE = 'a secret is not written here: use {env: HOOKLINE_SECRET_…} or {file: PATH}';

/** docs/hooks-file.md#the-file */
describe('a file of webhooks', () => {
  it.each<readonly [what: string, text: string, line: number, reason: string | RegExp]>([
    ['is empty', '', 1, 'it must be a map of keys and values'],
    ['is a list', '- a', 1, 'it must be a map of keys and values'],
    ['is not YAML', 'version: 1\nteams: [main', 2, /^Flow sequence .* must .*end/],
    ['has several documents', 'version: 1\n---\nversion: 1\n', 2, /multiple documents/],
    ['has no version', 'teams: [main]', 1, 'it must be 1'],
    ['is of a later version', 'teams: [main]\nversion: 2', 2, 'it must be 1'],
    ['has no teams', 'version: 1', 1, 'it must be a list'],
    ['has a number as a team', 'version: 1\nteams:\n  - main\n  - 7', 4, /^it must be a text \(put numbers/],
    ['has an unknown section', `${TOP}hooks: []`, 3, 'unknown key "hooks"'],
    ['has a section that is no list', `${TOP}bots: {}`, 3, 'it must be a list'],
    ['has a key twice', `${TOP}teams: [other]`, 3, '"teams" is here twice'],
    [
      'has an alias',
      `version: 1\nteams: &a [main]\nbots: *a`,
      3,
      'aliases (*) are not supported: repeat the value',
    ],
    ['has a tag', `version: 1\nteams: !secret [main]`, 2, /Unresolved tag/],
    ['is nested deeply', '['.repeat(100_000), 1, /stack|nested|end/i],
    ['has an unknown key', hook('chanel: builds'), 7, 'chanel: unknown key'],
    ['has a wrong type', hook('rate_limit: many'), 7, 'rate_limit: it must be a whole number'],
    ['has a flag as text', hook('channel_locked: "true"'), 7, 'channel_locked: it must be true or false'],
    ['has a number as text', hook('description: 12'), 7, /^description: it must be a text/],
    ['has no channel', `${TOP}incoming_webhooks:\n  - {team: main, name: A}`, 4, 'channel: it is missing'],
    ['has no name', `${TOP}incoming_webhooks:\n  - {team: main, channel: a}`, 4, 'name: it is missing'],
    [
      'has an unlisted team',
      `${TOP}channels:\n  - {team: b, name: a, display_name: A}`,
      4,
      'team: it must be one of "teams"',
    ],
    [
      'has an invalid name',
      `${TOP}bots:\n  - username: Big Bot`,
      4,
      /^username: it must have 1 to 64 of a–z/,
    ],
    ['has an invalid id', hook('id: short'), 7, /^id: it must be the 12 characters/],
    ['has an invalid time', hook('expires_at: tomorrow'), 7, /^expires_at: it must be a time/],
    ['has an impossible time', hook('expires_at: 2027-13-01T00:00:00Z'), 7, /^expires_at: it must be a time/],
    [
      'has an unknown preset',
      hook(`verifier: {preset: hub, ${SECRET}}`),
      7,
      /^verifier: .*preset.* one of alertmanager/,
    ],
    [
      'has an unknown field of a verifier',
      hook(`verifier: {preset: github, hash: md5, ${SECRET}}`),
      7,
      /^verifier: .*hash/,
    ],
    ['has a secret', hook('verifier: {preset: github, secret: abc}'), 7, `verifier.secret: ${NOT_HERE}`],
    ['lacks a secret', hook('verifier: {preset: github}'), 7, `verifier.secret: ${NOT_HERE}`],
    [
      'names another variable',
      hook('verifier: {preset: github, secret: {env: HOME}}'),
      ...[7, /^verifier\.secret: the variable must begin with HOOKLINE_SECRET_/],
    ] as never,
    [
      'has a reference elsewhere',
      hook(`verifier: {preset: github, header: {env: A}, ${SECRET}}`),
      7,
      /not possible here/,
    ],
    [
      'has a password',
      outgoing('auth: {type: basic, username: a, password: abc}'),
      6,
      `auth.password: ${NOT_HERE}`,
    ],
    ['has an unknown kind of auth', outgoing('auth: {type: digest}'), 6, /^auth: .*auth\.type/],
    [
      'has a reserved header',
      outgoing('headers: [{name: Host, value: a}]'),
      6,
      /^headers: .*headers\[0\]\.name/,
    ],
    ['has a header without a value', outgoing('headers: [{name: X-A}]'), 6, `headers.0.value: ${NOT_HERE}`],
    [
      'has the same name twice',
      `${hook('format: github')}  - {team: main, name: Builds, channel: a}`,
      8,
      /same name$/,
    ],
  ])('that %s is refused with the line', async (_what, text, line, reason) => {
    const refusal = await parseHooksFile('hooks.yaml', text).then(
      () => 'not refused',
      (error: unknown) => (error instanceof CommandRefused ? error.message : error),
    );
    expect(refusal).toMatch(new RegExp(`^hooks\\.yaml:${line}: `));
    const [first = ''] = String(refusal).split('\n');
    const message = first.slice(`hooks.yaml:${line}: `.length);
    if (typeof reason === 'string') expect(message).toBe(reason);
    else expect(message).toMatch(reason);
  });

  it('names all faults at once, but not thousands', async () => {
    const bad = Array.from({ length: 30 }, (_, index) => `  - username: "A ${index}"\n`).join('');
    const error = await parseHooksFile('h', `${TOP}bots:\n${bad}`).catch((reason: Error) => reason.message);
    expect(String(error).split('\n')).toHaveLength(21);
  });

  it('has at most 10,000 objects', async () => {
    const bots = (count: number) =>
      Array.from({ length: count }, (_, index) => `  - username: a${index}\n`).join('');
    const parsed = await parseHooksFile('h', `${TOP}bots:\n${bots(10_000)}`);
    expect(parsed.entries).toHaveLength(10_000);
    await expect(parseHooksFile('h', `${TOP}bots:\n${bots(10_001)}`)).rejects.toThrow(
      'more than 10000 objects',
    );
  });

  it('has the defaults of the API for what it leaves out', async () => {
    const { entries } = await parseHooksFile('h', hook(`verifier: {preset: github, ${SECRET}}`));
    expect(entries[0]!.fields).toMatchObject({
      ...{ format: 'mattermost', rate_limit: 0, expires_at: '', channel_locked: false, owner: undefined },
      verifier: { preset: 'github', type: 'hmac', header: 'X-Hub-Signature-256', algorithm: 'sha256' },
    });
  });
});
