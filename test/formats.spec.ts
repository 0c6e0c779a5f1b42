import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { EVENTS as GITEA } from '../src/incoming-hooks/formats/gitea.js';
import { EVENTS as GITHUB } from '../src/incoming-hooks/formats/github.js';
import { EVENTS as GITLAB } from '../src/incoming-hooks/formats/gitlab.js';
import { EVENTS as SENTRY } from '../src/incoming-hooks/formats/sentry.js';
import { decodeFormat, FORMATS } from '../src/incoming-hooks/formats/formats.js';
import type { IncomingPayload } from '../src/incoming-hooks/payload/payload-decoder.js';
import { PayloadError } from '../src/incoming-hooks/payload/payload-forms.js';
import { findMentions } from '../src/messaging/posts/content/mentions.js';
import { builtAttachments } from '../src/messaging/posts/content/attachments.js';
import { convertAttachments, convertText } from '../src/messaging/posts/content/slack-text.js';

const FOLDER = path.join(__dirname, 'fixtures/formats');

interface Fixture {
  readonly format: string;
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly body: any;
}

const fixtures: Fixture[] = readdirSync(FOLDER).flatMap((format) =>
  readdirSync(path.join(FOLDER, format)).map((file) => ({
    format,
    name: file.replace('.json', ''),
    ...JSON.parse(readFileSync(path.join(FOLDER, format, file), 'utf8')),
  })),
);

const HOOK_ID = 'a1f8zcm5wtd5jfzn8u5fxpbkje';

const decoded = (
  format: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<IncomingPayload> =>
  decodeFormat(
    { id: HOOK_ID, format, template: '' },
    { body: Buffer.from(JSON.stringify(body) ?? ''), contentType: 'application/json', headers, query: {} },
  );

/** The texts of a payload as they are stored. */
function storedTexts({ text, attachments }: IncomingPayload): string[] {
  const stored = convertAttachments(attachments ? builtAttachments(attachments) : [], () => undefined);
  return [
    convertText(text, () => undefined),
    ...stored.flatMap((each) => [each.text, ...(each.fields ?? []).map(({ value }) => value ?? '')]),
  ];
}

/** What clients see, without the parts that no format sets. */
function shown(payload: IncomingPayload): object {
  if (payload.ignored !== undefined) return { ignored: payload.ignored };
  const [text, ...others] = storedTexts(payload);
  const { attachments = [], key, onKey } = payload;
  return {
    text,
    ...(attachments.length > 0 && { attachments: builtAttachments(attachments).map(withoutEmpty) }),
    ...(others.length > 0 && { stored: others }),
    ...(key && { key, onKey }),
  };
}

function withoutEmpty(attachment: object): object {
  const { text: _stored, fields, ...others } = attachment as any;
  return Object.fromEntries(
    Object.entries({ ...others, fields: fields?.map(({ title }: any) => title) }).filter(
      ([, value]) => value !== '' && value !== null && value !== 0 && value !== undefined,
    ),
  );
}

/** docs/contract/incoming-webhooks.md#formats */
describe('formats of incoming webhooks', () => {
  it.each(fixtures.map((fixture) => [fixture.format, fixture.name, fixture] as const))(
    'show a call of %s: %s',
    async (format, _, { body, headers }) => {
      expect(shown(await decoded(format, body, headers))).toMatchSnapshot();
    },
  );

  it.each([
    ['github', GITHUB],
    ['gitlab', GITLAB],
    ['gitea', GITEA],
    ['sentry', SENTRY],
  ])('have a fixture for each event of %s that is shown', (format, events) => {
    const sent = fixtures
      .filter((fixture) => fixture.format === format)
      .map(({ name }) => name.split('-')[0]!);
    const isShown = ([, handler]: [string, unknown]): boolean => typeof handler !== 'string';
    const names = Object.entries(events)
      .filter(isShown)
      .map(([name]) => name);
    expect(names.filter((name) => !sent.includes(name))).toEqual([]);
  });

  it.each(Object.entries(DOCUMENTED()))('know each documented event of %s', async (format, events) => {
    const known = { github: GITHUB, gitlab: GITLAB, gitea: GITEA, sentry: SENTRY }[format]!;
    expect(events.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  });

  it.each(FORMATS.slice(1, -1))('refuse a body that is no object: %s', async (format) => {
    for (const body of [null, [], 'text', 1, true])
      await expect(decoded(format, body)).rejects.toBeInstanceOf(PayloadError);
    await expect(decoded(format, {})).rejects.toBeInstanceOf(PayloadError);
  });

  it.each([
    ['github', { 'x-github-event': 'push' }, {}, 'ref is missing'],
    ['github', {}, {}, 'the header X-GitHub-Event is missing'],
    ['github', { 'x-github-event': 'issues' }, { action: 'opened' }, 'issue must be an object'],
    ['gitlab', {}, {}, 'object_kind is missing'],
    ['gitea', {}, {}, 'the header X-Gitea-Event is missing'],
    ['grafana', {}, {}, 'status is missing'],
    ['alertmanager', {}, { status: 'firing' }, 'groupKey is missing'],
    ['alertmanager', {}, { status: 'firing', groupKey: 'a' }, 'alerts must be a list'],
    ['sentry', {}, {}, 'the header Sentry-Hook-Resource is missing'],
    ['teams', {}, {}, 'there is neither a MessageCard nor an Adaptive Card in the body'],
    ['cloudevents', {}, { specversion: '0.3' }, 'specversion must be 1.0'],
    ['cloudevents', { 'ce-specversion': '1.0' }, {}, 'id is missing'],
    ['removed', {}, {}, 'this version of the server does not know the format removed'],
  ])('name what is missing: %s %j %j', async (format, headers: any, body, detail) => {
    await expect(decoded(format, body, headers)).rejects.toMatchObject({ detail });
  });

  it('read a form with JSON in the field payload', async () => {
    const { body, headers } = fixtures.find(({ name }) => name === 'issues-opened')!;
    const form = `payload=${encodeURIComponent(JSON.stringify(body))}`;
    const call = { body: Buffer.from(form), contentType: 'application/x-www-form-urlencoded', query: {} };
    const payload = await decodeFormat({ id: HOOK_ID, format: 'github', template: '' }, { ...call, headers });
    expect(shown(payload)).toEqual(shown(await decoded('github', body, headers)));
  });

  it.each([
    ['team', 'added_to_repository', { team: { name: 'core' } }, 'added team core'],
    [
      'membership',
      'removed',
      { member: { login: 'kim' }, team: { name: 'core' } },
      'removed kim from team core',
    ],
    ['organization', 'renamed', { organization: { login: 'octo' } }, 'renamed organization octo'],
    [
      'security_advisory',
      'withdrawn',
      { security_advisory: { summary: 'A' } },
      'withdrew security advisory A',
    ],
    [
      'sponsorship',
      'pending_cancellation',
      { sponsorship: { sponsorable: { login: 'kim' } } },
      'scheduled the end of a sponsorship of kim',
    ],
    [
      'workflow_run',
      'completed',
      { workflow_run: { name: '', conclusion: 'success' }, workflow: { name: 'test' } },
      'Workflow test: success',
    ],
    ['workflow_run', 'completed', { workflow_run: { name: '', path: 'a.yml' } }, 'Workflow a.yml: completed'],
  ])('say what happened on GitHub: %s %s', async (event, action, body, text) => {
    const payload = await decoded('github', { action, ...body }, { 'x-github-event': event });
    expect(storedTexts(payload)[0]!.replace(/^GitHub /, '')).toBe(text);
  });

  it.each([
    ['text', 'text/plain', Buffer.from('plain *text*'), 'plain *text*'],
    ['text that begins like JSON', 'text/plain', Buffer.from('12 disks failed'), '12 disks failed'],
    ['text with invalid UTF-8', 'text/plain', Buffer.from('caf\xe9', 'latin1'), 'caf\ufffd'],
    ['bytes', 'application/octet-stream', Buffer.from([0, 1, 255]), '(binary data)'],
    ['nothing', 'application/json', Buffer.alloc(0), undefined],
  ])('show the data of a CloudEvent in binary mode: %s', async (_, contentType, body, shownText) => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/a', 'ce-type': 'b' };
    const payload = await decodeFormat(
      { id: HOOK_ID, format: 'cloudevents', template: '' },
      { body, contentType, headers, query: {} },
    );
    const [, text] = storedTexts(payload);
    expect(text || undefined).toBe(shownText && `\`\`\`\n${shownText}\n\`\`\``);
  });

  it.each([
    ['text', Buffer.from('plain *text*'), 'plain *text*'],
    ['JSON', Buffer.from('{"a":"ö"}'), '{\n  "a": "ö"\n}'],
    ['bytes', Buffer.from([0, 1, 255]), '(binary data)'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x41]), '(binary data)'],
  ])('show data_base64 of a CloudEvent: %s', async (_, data, shownText) => {
    const event = {
      specversion: '1.0',
      id: '1',
      source: '/a',
      type: 'b',
      data_base64: data.toString('base64'),
    };
    const [, text] = storedTexts(await decoded('cloudevents', event));
    expect(text).toBe(`\`\`\`\n${shownText}\n\`\`\``);
  });

  it('take an empty body for no CloudEvent', async () => {
    const call = { body: Buffer.alloc(0), contentType: 'application/json', headers: {}, query: {} };
    await expect(
      decodeFormat({ id: HOOK_ID, format: 'cloudevents', template: '' }, call),
    ).rejects.toMatchObject({
      detail: 'the body must be one CloudEvent as a JSON object',
    });
  });

  it.each([
    ['12 disks failed', '12 disks failed'],
    ['2026-01-01 [error] full', '2026-01-01 [error] full'],
    ['null pointer', 'null pointer'],
    ['"a" is full', '"a" is full'],
    ['[1] is full', '[1] is full'],
    [' 12 ', '12'],
    ['[1, 2]', '12'],
    ['{"a":"an object"} and more', 'an object'],
  ])('take a text for JSON only if all of it is, or an object: %s', async (sent, output) => {
    const template = '{% if body.a %}{{ body.a }}{% else %}{{ body }}{% endif %}';
    const call = { body: Buffer.from(sent), contentType: 'text/plain', headers: {}, query: {} };
    expect(await decodeFormat({ id: HOOK_ID, format: 'template', template }, call)).toMatchObject({
      text: output,
    });
  });

  it('show the summary of a MessageCard only if the card has nothing else', async () => {
    const card = { '@type': 'MessageCard', summary: 'Apprise Notifications' };
    const sections = [{ activityTitle: 'Backup', text: 'done' }];
    expect(storedTexts(await decoded('teams', { ...card, sections }))[0]).toBe('Backup\n\ndone');
    expect(storedTexts(await decoded('teams', { ...card, sections: [{}] }))[0]).toBe(
      '**Apprise Notifications**',
    );
  });

  it.each([
    '@all',
    '@channel and @here',
    '@admin',
    'a @bob_',
    '<!channel>',
    '<!here|x>',
    '<@admin>',
    '~@all',
  ])('mention nobody: %j', async (sign) => {
    for (const { format, body, headers } of fixtures) {
      const hostile = mapStrings(body, (text) => (isStructural(text) ? text : `${sign} ${text} ${sign}`));
      const payload = await decoded(format, hostile, headers).catch(refusedOnly);
      if (payload)
        expect({ format, found: findMentions(storedTexts(payload)) }).toEqual({ format, found: [] });
    }
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', ' https://x', 'https://x y', 'ftp://x', '//x'])(
    'link only to web addresses: not %j',
    async (address) => {
      for (const { format, body, headers } of fixtures) {
        const hostile = mapStrings(body, (text) => (text.startsWith('http') ? address : text));
        const payload = await decoded(format, hostile, headers).catch(refusedOnly);
        const targets = (payload ? storedTexts(payload) : []).flatMap((text) =>
          Array.from(text.matchAll(/\]\(([^)]*)\)/g), ([, target]) => target!),
        );
        expect(targets.filter((target) => !/^https?:\/\//.test(target))).toEqual([]);
      }
    },
  );

  it('escape titles that would end a link early', async () => {
    const { body, headers } = fixtures.find(({ name }) => name === 'issues-opened')!;
    const title = 'a https://x/](http://evil.example) [b](http://evil.example) `c';
    const payload = await decoded('github', { ...body, issue: { ...body.issue, title } }, headers);
    expect(storedTexts(payload)[0]).not.toMatch(/(?<!\\)\]\(http:\/\/evil/);
  });

  it.each([
    ['[a](https://evil.example)', /\[a\]|\]\(https:\/\/evil/],
    ['![a](https://evil.example)', /\[a\]|\]\(https:\/\/evil/],
    ['\n[a]: https://evil.example\n', /\[a\]/],
    ['https://a/[a](https://evil.example)', /\[a\]|\]\(https:\/\/evil/],
    ['\n\u00a0# a\n', /^\s*#+\s/m],
    ['\na | b\n:--|--:\nc | d\n', /^[\s|:-]+[|-][\s|:-]*$/m],
    ['\na\n=-=\n', /^[\s=-]*=$/m],
  ])('keep %j as text', async (sign, markup) => {
    for (const { format, body, headers } of fixtures.filter((fixture) => fixture.format !== 'teams')) {
      const hostile = mapStrings(body, (text) => (isStructural(text) ? text : `${text} ${sign}`));
      const payload = await decoded(format, hostile, headers).catch(refusedOnly);
      for (const text of payload ? storedTexts(payload) : [])
        expect(text.replace(/```[^]*```|\\[^]/g, '·')).not.toMatch(markup);
    }
  });

  it('are bounded: long texts and lists', async () => {
    for (const { format, body, headers } of fixtures) {
      const long = mapStrings(body, (text) => (isStructural(text) ? text : `${text} ${'🙂*'.repeat(3_000)}`));
      const payload = await decoded(format, many(long), headers).catch(refusedOnly);
      if (!payload) continue;
      expect(payload.text.length).toBeLessThan(25_000);
      expect(JSON.stringify(payload.attachments ?? []).length).toBeLessThan(60_000);
      expect((payload.key ?? '').length).toBeLessThanOrEqual(190);
      expect(storedTexts(payload).join('').isWellFormed()).toBe(true);
    }
  });

  it('treat names of object properties like other unknown values', async () => {
    for (const { format, body, headers } of fixtures)
      for (let place = 0; place < JSON.stringify(body).split(':').length; place++)
        await decoded(format, mutate(body, place, 'constructor'), headers).catch(refusedOnly);
  });

  it('throw nothing but the declared error for mutated calls', async () => {
    const replaced = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        undefined,
        '',
        0,
        -1,
        1e308,
        true,
        [],
        {},
        [[]],
        [null],
        '\0',
        '__proto__',
        '…',
      ),
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>(
        'x'.repeat(100_000),
        nested(90),
        Array(2_000).fill({ a: 1 }),
        '<'.repeat(5_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fixtures),
        fc.nat(),
        replaced,
        fc.nat(),
        async (fixture, place, value, header) => {
          const mutated = mutate(fixture.body, place, value);
          const names = Object.keys(fixture.headers);
          const headers = { ...fixture.headers };
          if (names.length > 0 && header % 10 === 0) headers[names[header % names.length]!] = '__proto__';
          const payload = await decoded(fixture.format, mutated, headers).catch(refusedOnly);
          if (payload) expect(payload.ignored !== undefined || payload.text !== '').toBe(true);
        },
      ),
      { numRuns: 1_500, seed: 1 },
    );
  });
});

function refusedOnly(error: unknown): undefined {
  if (error instanceof PayloadError) return undefined;
  throw error;
}

/** Words that decide what an event is. */
function isStructural(text: string): boolean {
  return (
    /^[a-z0-9_.]{1,30}$/i.test(text) ||
    text.startsWith('http') ||
    ['MessageCard', 'AdaptiveCard'].includes(text)
  );
}

function mapStrings(value: any, change: (text: string) => string): any {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}

/** Repeats the items of each outer list. */
function many(value: any): any {
  if (Array.isArray(value)) return Array.from({ length: 200 }, () => value).flat();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, many(item)]));
}

/** Replaces one value, chosen by a number, anywhere in a document. */
function mutate(value: any, place: number, replacement: unknown): any {
  let left = place % Math.max(1, JSON.stringify(value).split(':').length);
  const visit = (item: any): any => {
    if (left-- === 0) return replacement;
    if (Array.isArray(item)) return item.map(visit);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(value);
}

function nested(depth: number): unknown {
  return depth === 0 ? 'deep' : { a: [nested(depth - 1)], text: 'x' };
}

/** The events that the documentation of each program lists. */
function DOCUMENTED(): Record<string, string[]> {
  const words = (text: string): string[] => text.trim().split(/\s+/);
  return {
    github: words(`
      branch_protection_configuration branch_protection_rule check_run check_suite code_scanning_alert commit_comment
      create custom_property custom_property_values delete dependabot_alert deploy_key deployment
      deployment_protection_rule deployment_review deployment_status discussion discussion_comment fork
      github_app_authorization gollum installation installation_repositories installation_target issue_comment
      issue_dependencies issues label marketplace_purchase member membership merge_group meta milestone org_block
      organization package page_build personal_access_token_request ping project project_card project_column projects_v2
      projects_v2_item projects_v2_status_update public pull_request pull_request_review pull_request_review_comment
      pull_request_review_thread push registry_package release repository repository_advisory repository_dispatch
      repository_import repository_ruleset repository_vulnerability_alert secret_scanning_alert
      secret_scanning_alert_location secret_scanning_scan security_advisory security_and_analysis sponsorship star status
      sub_issues team team_add watch workflow_dispatch workflow_job workflow_run`),
    gitlab: words(`
      push tag_push issue work_item note merge_request wiki_page pipeline build deployment feature_flag release milestone
      emoji access_token deploy_token vulnerability user_add_to_group user_update_for_group user_remove_from_group
      user_access_request_to_group user_access_request_denied_for_group project_create project_destroy subgroup_create
      subgroup_destroy`),
    gitea: words(`
      create delete fork push issues issue_assign issue_label issue_milestone issue_comment pull_request
      pull_request_assign pull_request_label pull_request_milestone pull_request_comment pull_request_review_approved
      pull_request_review_rejected pull_request_review_comment pull_request_approved pull_request_rejected
      pull_request_sync pull_request_review_request wiki repository release package status workflow_run workflow_job
      action_run_success action_run_failure action_run_recover`),
    sentry: words('installation issue error comment event_alert metric_alert seer preprod_artifact'),
  };
}
