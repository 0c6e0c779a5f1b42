import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { RequestKeeper } from '../src/incoming-hooks/kept-requests/request-keeper.js';
import { IncomingHook } from '../src/incoming-hooks/incoming-hook.entity.js';
import { buildChannel } from './factories/channels.js';
import { buildIncomingHook, buildMember, buildTeam } from './factories/incoming-hooks.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const TEMPLATE_FAILED = 'web.incoming_webhook.template.app_error';
const JSON_TYPE = { 'content-type': 'application/json' };

const fixture = (name: string): { headers: Record<string, string>; body: any } =>
  JSON.parse(readFileSync(path.join(__dirname, 'fixtures/formats', `${name}.json`), 'utf8'));

/** docs/contract/incoming-webhooks.md#formats */
describe('incoming webhooks with a format', () => {
  let server: TestServer;
  let admin: ApiClient;
  let teamId: string;
  let channelId: string;
  let hook: any;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    ({ id: teamId, channelId } = await buildTeam(admin));
  });

  const create = async (fields: Record<string, unknown>): Promise<void> => {
    hook = await buildIncomingHook(admin, channelId, fields);
  };
  const call = (raw: string, headers: Record<string, string> = {}, query = '?wait=true'): Promise<Answer> =>
    server.anonymous.post(`/hooks/${hook.id}${query}`, undefined, {
      raw,
      headers: { ...JSON_TYPE, ...headers },
    });
  const preview = (fields: object): Promise<Answer> => admin.post(`${place()}/preview`, fields);
  const send = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(JSON.stringify(body), headers);
  const posts = async (): Promise<any[]> => {
    const { posts: found, order } = await admin.call('GET', `/channels/${channelId}/posts`);
    return order.map((id: string) => found[id]).filter(({ type }: any) => !type.startsWith('system_'));
  };
  const kept = async (): Promise<any[]> => {
    for (const keeper of server.everywhere(RequestKeeper)) await keeper.flush();
    return admin.call('GET', `/hooks/incoming/${hook.id}/requests`);
  };
  const place = (): string => `/hooks/incoming/${hook.id}`;

  it('have the format of Mattermost unless another is set', async () => {
    await create({});
    expect(hook).toMatchObject({ format: 'mattermost', template: '' });
    expect((await send({ text: 'as ever' })).body).toEqual({ status: 'OK', post_ids: [expect.any(String)] });
  });

  it('change the format with PUT and PATCH, and keep it if absent', async () => {
    await create({ format: 'github' });
    expect(hook.format).toBe('github');
    const put = (fields: object): Promise<any> =>
      admin.call('PUT', place(), { ...hook, format: undefined, template: undefined, ...fields });
    expect(await put({})).toMatchObject({ format: 'github', template: '' });
    const template = 'Hello {{ body.name }}';
    expect(await put({ format: 'template', template })).toMatchObject({ format: 'template', template });
    expect(await put({})).toMatchObject({ format: 'template', template });
    expect(await admin.call('PATCH', place(), { format: 'grafana' })).toMatchObject({
      format: 'grafana',
      template,
    });
    expect(await admin.call('PATCH', place(), { description: 'x' })).toMatchObject({ format: 'grafana' });
    expect(await admin.call('GET', place())).toMatchObject({ format: 'grafana', template });
    const [listed] = await admin.call('GET', `/hooks/incoming?team_id=${teamId}`);
    expect(listed).toMatchObject({ format: 'grafana', template });
  });

  it.each([
    [
      { format: 'bitbucket' },
      'model.incoming_hook.format.app_error',
      /format: it must be one of mattermost, github/,
    ],
    [{ format: '' }, 'model.incoming_hook.format.app_error', /format/],
    [{ format: 'template' }, 'model.incoming_hook.template.app_error', /template: the format needs one/],
    [
      { template: 'a'.repeat(16 * 1024 + 1) },
      'model.incoming_hook.template.app_error',
      /at most 16384 bytes/,
    ],
    [{ template: 'a\u0007' }, 'model.incoming_hook.template.app_error', /control characters/],
    [{ template: 'a\n{% if %' }, 'model.incoming_hook.template.app_error', /line:2/],
    [
      { template: '{{ a | nothing }}' },
      'model.incoming_hook.template.app_error',
      /undefined filter: nothing.*line:1/,
    ],
    [
      { template: "{% include 'a' %}" },
      'model.incoming_hook.template.app_error',
      /tag include is not available/,
    ],
    [
      { template: "{% render 'a' %}" },
      'model.incoming_hook.template.app_error',
      /tag render is not available/,
    ],
    [
      { template: "{% layout 'a' %}" },
      'model.incoming_hook.template.app_error',
      /tag layout is not available/,
    ],
    [
      { template: '{{ body | where_exp: "x", "x > 1" }}' },
      'model.incoming_hook.template.app_error',
      /undefined filter: where_exp/,
    ],
    [{ format: 5 }, 'api.context.invalid_body_param.app_error', /format/],
    [{ template: ['a'] }, 'api.context.invalid_body_param.app_error', /template/],
  ])('refuse %j', async (fields, id, message) => {
    await create({});
    for (const refused of [
      await admin.post('/hooks/incoming', { channel_id: channelId, ...fields }),
      await admin.put(place(), { ...hook, ...fields }),
      await admin.patch(place(), fields),
    ]) {
      expectError(refused, 400, id);
      expect(refused.body.message).toMatch(message);
    }
  });

  it.each([
    ['github', 'issues-opened', 'opened issue [#1 Spelling error in the README file]'],
    ['gitlab', 'pipeline-failed', 'Pipeline [#31]'],
    ['gitea', 'push', 'pushed [1 commit]'],
    ['grafana', 'firing', 'Firing: [InstanceDown]'],
    ['alertmanager', 'resolved', 'Resolved: [InstanceDown]'],
    ['sentry', 'issue-created', 'Sentry found issue [FRONT-END-1'],
    ['teams', 'adaptive-card', '**Publish Adaptive Card Schema**'],
    ['cloudevents', 'binary', 'com.example.someevent from /mycontext/€'],
  ])('post a call of %s', async (format, name, text) => {
    await create({ format });
    const { body, headers } = fixture(`${format}/${name}`);
    const answer = await send(body, headers);
    expect(answer.body).toEqual({ status: 'OK', post_ids: [expect.any(String)] });
    expect((await call(JSON.stringify(body), headers, '')).text).toBe('ok');
    const [post] = await posts();
    expect(post.message).toContain(text);
    expect(post.message).not.toContain('\0');
    expect(post.props.from_webhook).toBe('true');
  });

  it('answer in the thread of the first event about the same thing', async () => {
    await create({ format: 'github' });
    const root = [];
    for (const name of ['issues-opened', 'issues-closed']) {
      const { body, headers } = fixture(`github/${name}`);
      root.push((await send(body, headers)).body.post_ids[0]);
    }
    const [closed, opened] = await posts();
    expect(opened).toMatchObject({ id: root[0], root_id: '', edit_at: 0 });
    expect(opened.message).toContain('opened issue');
    expect(closed).toMatchObject({ id: root[1], root_id: root[0] });
    expect(closed.message).toContain('closed issue');
  });

  it('mention nobody', async () => {
    const member = await buildMember(server, [teamId]);
    await member.client.call('POST', `/channels/${channelId}/members`, { user_id: member.id });
    const { username } = await admin.call('GET', `/users/${member.id}`);
    await create({ format: 'github' });
    const { body, headers } = fixture('github/issues-opened');
    const text = `@all @channel @here @${username} <!channel> <@${member.id}>`;
    await send({ ...body, issue: { ...body.issue, title: text, body: text } }, headers);
    const [post] = await posts();
    expect(post.message).toContain('#1');
    const { mention_count: mentions } = await member.client.call('GET', `/channels/${channelId}/members/me`);
    expect(mentions).toBe(0);
  });

  it('answer an ignored event with the reason, and post nothing', async () => {
    await create({ format: 'github', keep_requests: true });
    const { body, headers } = fixture('github/ping');
    const reason = 'the call is only a test';
    const { status, body: answer } = await send(body, headers);
    expect([status, answer]).toEqual([200, { status: 'OK', post_ids: [], ignored: reason }]);
    expect((await call(JSON.stringify(body), headers, '')).text).toBe('ok');
    expect(await posts()).toEqual([]);
    expect(await kept()).toEqual([
      expect.objectContaining({ status: 200, error_id: '', message: reason }),
      expect.objectContaining({ status: 200, error_id: '', message: reason }),
    ]);
    expect((await admin.call('GET', place())).last_used).toBe(0);
  });

  it('begin a new message when an alert fires again', async () => {
    await create({ format: 'alertmanager' });
    const { body } = fixture('alertmanager/firing');
    const [first] = (await send(body)).body.post_ids;
    const [repeated] = (await send(body)).body.post_ids;
    const resolved = { ...body, status: 'resolved' };
    for (const call of [resolved, resolved]) expect((await send(call)).body.post_ids).toEqual([first]);
    const [again] = (await send(body)).body.post_ids;
    const [newest, reply, oldest] = await posts();
    expect([newest.id, reply.id, oldest.id]).toEqual([again, repeated, first]);
    expect([newest.root_id, reply.root_id]).toEqual(['', first]);
    expect(oldest.message).toContain(':white_check_mark: Resolved');
  });

  it('refuse a body that is not of the format, and keep the call', async () => {
    await create({ format: 'alertmanager' });
    const answer = await send({ text: 'a payload' });
    expectError(answer, 400, 'web.incoming_webhook.decode.app_error');
    expect(answer.body.message).toContain('status is missing');
    expect(await kept()).toEqual([
      expect.objectContaining({ status: 400, error_id: 'model.incoming_hook.parse_data.app_error' }),
    ]);
    expectError(await call('{'), 400, 'web.incoming_webhook.decode.app_error');
    expectError(await call('[]'), 400, 'web.incoming_webhook.decode.app_error');
    expect(await posts()).toEqual([]);
  });

  it('repeat a kept call with the headers that name its event', async () => {
    await create({ format: 'sentry', keep_requests: true });
    const { body, headers } = fixture('sentry/error');
    await send(body, headers);
    const [request] = await kept();
    const { post_ids: ids } = await admin.call('POST', `${place()}/requests/${request.id}/replay`);
    expect(ids).toHaveLength(1);
    const [first, second] = await posts();
    expect(first.message).toBe(second.message);
  });

  it('ignore the channel of a payload in other formats', async () => {
    const other = await buildChannel(admin, teamId);
    await create({ format: 'cloudevents' });
    const { body } = fixture('cloudevents/structured');
    await send({ ...body, channel: other.name });
    expect(await posts()).toHaveLength(1);
  });

  it('refuse calls of a format that this version does not know', async () => {
    await create({});
    await server.app
      .get(DataSource)
      .getRepository(IncomingHook)
      .update({ id: hook.id }, { format: 'removed' });
    expectError(await send({ text: 'x' }), 400, 'web.incoming_webhook.decode.app_error');
  });

  describe('template', () => {
    const post = async (template: string, body: unknown, headers?: Record<string, string>): Promise<any> => {
      await create({ format: 'template', template });
      await send(body, headers);
      return (await posts())[0];
    };

    it('post its output as text', async () => {
      const template = '{% for job in body.jobs %}- {{ job.name | upcase }}: {{ job.state }}\n{% endfor %}';
      const jobs = [
        { name: 'build', state: 'green' },
        { name: 'test', state: 'red' },
      ];
      expect((await post(template, { jobs })).message).toBe('- BUILD: green\n- TEST: red');
    });

    it('compare with all operators', async () => {
      const template =
        '{% if not body.a and body.b == "x" and body.list contains 2 and body.n >= 2 and body.n != 3 %}yes{% endif %}';
      expect((await post(template, { b: 'x', list: [1, 2], n: 2 })).message).toBe('yes');
    });

    it('never take what a sender fills in as a payload', async () => {
      const text = '{"text":"forged","username":"ceo"}';
      const { message, props } = await post('{{ body.text }}', { text });
      expect(message).toBe(text);
      expect(props.override_username).not.toBe('ceo');
    });

    it('post its output as a payload if it is a JSON object', async () => {
      const template = '{"text": {{ body.text | json }}, "username": "bot-{{ body.number }}"}';
      const { message, props } = await post(template, { text: 'with "quotes"', number: 7 });
      expect(message).toBe('with "quotes"');
      expect(props.override_username).toBe('bot-7');
    });

    it('read headers and the query', async () => {
      await create({
        format: 'template',
        template: '{{ headers["x-my-event"] }} {{ query.room }} [{{ headers.authorization }}]',
      });
      await call('{}', { 'x-my-event': 'deploy', authorization: 'Bearer secret' }, '?wait=true&room=blue');
      expect((await posts())[0].message).toBe('deploy blue []');
    });

    it.each([
      ['a form', 'name=Bob&job=build+1', 'application/x-www-form-urlencoded', 'Bob: build 1'],
      ['text', 'just text', 'text/plain', 'just text'],
      ['text without a type', 'just text', '', 'just text'],
    ])('read %s', async (_, raw, type, message) => {
      await create({
        format: 'template',
        template: '{% if body.name %}{{ body.name }}: {{ body.job }}{% else %}{{ body }}{% endif %}',
      });
      await call(raw, { 'content-type': type });
      expect((await posts())[0].message).toBe(message);
    });

    it('mention nobody with the filter literal', async () => {
      const { message } = await post('{{ body.title | literal }}', {
        title: '@all *x* <!channel> <https://a|b>',
      });
      expect(message).toBe('@\u200ball \\*x\\* <\u200b!channel> \\<\u200bhttps://a|b>');
    });

    it('post nothing if the output is empty', async () => {
      await create({ format: 'template', template: '{% if body.important %}!{% endif %}' });
      const { body } = await send({ important: false });
      expect(body).toEqual({ status: 'OK', post_ids: [], ignored: 'the output of the template is empty' });
      expect(await posts()).toEqual([]);
    });

    it('show refused calls to other managers only if the output names no channel', async () => {
      const template = '{"text":"x","type":"{{ body.type }}","channel":"{{ body.to }}"}';
      await create({ format: 'template', template });
      const manager = await buildMember(server, [teamId], true);
      await send({ type: 'wrong' });
      await send({ type: 'wrong', to: 'town-square' });
      await send({ type: 'wrong', channel: 'town-square' });
      const statuses = [];
      for (const { id } of (await kept()).reverse())
        statuses.push((await manager.client.get(`${place()}/requests/${id}`)).status);
      expect(statuses.sort()).toEqual([200, 403, 403]);
    });

    it.each([
      [
        'an endless loop',
        '{% for a in (1..1000) %}{% for b in (1..1000) %}{{ b }}{% endfor %}{% endfor %}',
        /limit/,
      ],
      ['a huge range', '{% assign a = (1..1000000000) %}', /limit/],
      ['a loop over a long range', '{% for a in (0..10000) %}{% endfor %}', /limit of 10000 items/],
      [
        'a table of a long range',
        '{% assign n = 10001 %}{% tablerow a in (1..n) %}{% endtablerow %}',
        /limit of 10000 items/,
      ],
      [
        'a huge output',
        '{% for a in (1..3000) %}{{ body.long }}{% endfor %}',
        /more than 262144 characters|limit/,
      ],
      [
        'doubling text',
        `{% assign a = "ab" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
        /limit/,
      ],
      [
        'doubling captured text',
        `{% capture a %}ab{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(40)}{% if a contains "x" %}{% endif %}`,
        /limit/,
      ],
      [
        'a list that contains itself twice, again and again',
        '{% assign a = "x" | split: "," %}{% for i in (1..60) %}{% assign a = "" | split: "," | push: a | push: a %}{% endfor %}{{ a }}',
        /limit of a value/,
      ],
      [
        'a list of the same long text',
        '{% assign a = body.long | split: "," %}{% for i in (1..10) %}{% assign a = a | concat: a %}{% endfor %}{{ a | join }}',
        /limit of a value/,
      ],
      [
        'a long condition',
        `{% assign a = body.long | split: "" %}{% if ${'a contains "y" or '.repeat(700)} false %}{% endif %}`,
        /limit/,
      ],
      ['wide dates', '{{ "now" | date: "%999999999d" }}', /limit/],
      ['a payload with wrong fields', '{"text": 5}', /in its output, text must be a string/],
      [
        'deep recursion',
        `${'{% if true %}'.repeat(600)}x${'{% endif %}'.repeat(600)}{{ "x" | json: 1 }}{% for a in (1..999999999) %}{% endfor %}`,
        /limit|stack/,
      ],
    ])('fail with 422 and keep the call: %s', async (_, template, message) => {
      await create({ format: 'template', template });
      const answer = await send({ long: 'x'.repeat(100_000) });
      expectError(answer, 422, TEMPLATE_FAILED);
      expect(answer.body.message).toMatch(message);
      expect(await posts()).toEqual([]);
      expect(await kept()).toEqual([expect.objectContaining({ status: 422, error_id: TEMPLATE_FAILED })]);
    });

    it('are paused after a call that took too long', async () => {
      await create({
        format: 'template',
        template: '{% for a in (1..10000) %}{% for b in (1..10000) %}{% endfor %}{% endfor %}',
      });
      const answers = await Promise.all([send({}), send({}), send({})]);
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
      expect(answers.filter(({ body }) => /is paused/.test(body.message))).toHaveLength(2);
      const slow = hook;
      await create({ format: 'template', template: slow.template }); // the pause is not that of others
      expect((await send({})).body.message).toMatch(/limit/);
      hook = slow;
      await preview({ payload: '{}', template: slow.template });
      const other = '{% for a in (1..9999999) %}{{ a }}{% endfor %}'; // a new template does not end the pause of previews
      expect((await preview({ payload: '{}', template: other })).body.message).toMatch(/is paused/);
      await admin.patch(`/hooks/incoming/${hook.id}`, { template: 'another one' });
      expect((await send({})).status).toBe(200);
    });

    it.each([
      '{{ body.constructor }}{{ body.__proto__ }}{{ body["constructor"]["prototype"] }}',
      '{{ body.list.constructor.constructor }}{{ body.text.constructor }}{{ headers.constructor }}',
      '{% assign a = "constructor" %}{{ body[a] }}{{ body.list.push }}{{ query.toString }}{{ body.toString }}',
    ])('do not reach prototypes: %s', async (template) => {
      await create({ format: 'template', template });
      const { body } = await send({ list: [1], text: 'x' });
      expect(body.ignored).toBe('the output of the template is empty');
    });
  });

  describe('preview', () => {
    it('show the call in the format of the webhook', async () => {
      await create({ format: 'github' });
      const { body, headers } = fixture('github/issues-opened');
      const answer = await preview({
        payload: JSON.stringify(body),
        headers: { 'X-GitHub-Event': 'issues' },
      });
      expect(answer.status).toBe(200);
      await send(body, headers);
      expect(answer.body.posts[0].message).toBe((await posts())[0].message);
    });

    it('show the reason of an ignored call', async () => {
      await create({ format: 'github' });
      const { body } = await preview({ payload: '{}', headers: { 'x-github-event': 'ping' } });
      expect(body).toEqual({
        posts: [],
        post_count: 0,
        not_understood: 0,
        ignored: 'the call is only a test',
      });
    });

    it('show an unsaved format and an unsaved template', async () => {
      await create({});
      const { body } = fixture('alertmanager/resolved');
      const other = await preview({ payload: JSON.stringify(body), format: 'alertmanager' });
      expect(other.body.posts[0].message).toContain('Resolved: [InstanceDown]');
      const fields = { payload: '{"a":"b"}', format: 'template', template: 'a is {{ body.a }}' };
      expect((await preview(fields)).body.posts[0].message).toBe('a is b');
      expect(await admin.call('GET', place())).toMatchObject({ format: 'mattermost', template: '' });
    });

    it('refuse wrong fields, and report what the call would', async () => {
      await create({});
      const payload = '{}';
      expectError(await preview({ payload, format: 'x' }), 400, 'model.incoming_hook.format.app_error');
      const headers = { 'x-github-event': 'x'.repeat(16 * 1024) };
      expectError(await preview({ payload, headers }), 400, undefined, 'headers');
      expectError(
        await preview({ payload, format: 'template', template: '{{' }),
        400,
        'model.incoming_hook.template.app_error',
      );
      expectError(
        await preview({ payload, headers: { a: 1 } }),
        400,
        'api.context.invalid_body_param.app_error',
      );
      const endless = '{% for a in (1..1000000000) %}{% endfor %}';
      expectError(await preview({ payload, format: 'template', template: endless }), 422, TEMPLATE_FAILED);
      expect(await kept()).toEqual([]);
    });

    it('show a template that names a channel only to trusted users', async () => {
      await create({ format: 'template', template: '{"channel":"{{ body.to }}","text":"x"}' });
      const manager = await buildMember(server, [teamId], true);
      const asked = (to: string): Promise<Answer> =>
        manager.client.post(`${place()}/preview`, { payload: JSON.stringify({ to }) });
      expectError(await asked('town-square'), 403, 'api.context.permissions.app_error');
      expect((await asked('')).status).toBe(200);
    });
  });
});
