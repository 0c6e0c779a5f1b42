/** Prometheus Alertmanager: its Slack receiver, and its webhook receiver with the format and the verifier for it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findFreePort } from '../support/server-process.mjs';
import { findProgram } from './support/machine-clients.mjs';
import { Program } from './support/program.mjs';
import { buildChannel, buildHook, buildScene, eventually, postsIn } from './support/scene.mjs';

const TOKEN = 'a token of this Alertmanager';

const configOf = (scene, { name }, plainUrl) => `
route:
  receiver: hookline
  group_by: [alertname]
  group_wait: 0s
  group_interval: 1s
  routes:
    - receiver: hookline-channel
      matchers: [target = "channel"]
    - receiver: hookline-webhook
      matchers: [target = "webhook"]
receivers:
  - name: hookline
    slack_configs:
      - api_url: ${scene.hookUrl}
        send_resolved: true
        text: '{{ range .Alerts }}{{ .Annotations.summary }}{{ end }}'
        fields:
          - title: Severity
            value: '{{ .CommonLabels.severity }}'
            short: true
  - name: hookline-channel
    slack_configs:
      - api_url: ${scene.hookUrl}
        channel: '#${name}'
        username: Guard
        icon_emoji: ':fire:'
  - name: hookline-webhook
    webhook_configs:
      - url: ${plainUrl}
        send_resolved: true
        max_alerts: 2
        http_config:
          authorization:
            credentials: ${TOKEN}
`;

describe('Prometheus Alertmanager', () => {
  let scene, alerts, grouped, program, url;

  before(async () => {
    scene = await buildScene('alertmanager');
    alerts = await buildChannel(scene.admin, scene.team.id, 'alerts');
    grouped = await buildChannel(scene.admin, scene.team.id, 'grouped');
    const { url: plainUrl } = await buildHook(scene, {
      ...{ channel_id: grouped.id, format: 'alertmanager' },
      verifier: { preset: 'alertmanager', secret: TOKEN },
    });
    program = new Program(findProgram('prometheus-alertmanager'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const args = [
      `--config.file=${program.write('alertmanager.yml', configOf(scene, alerts, plainUrl))}`,
      `--storage.path=${program.folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ];
    await program.start(args, `${url}/-/ready`);
  });
  after(() => program?.remove());

  async function report(alert) {
    const answer = await fetch(`${url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([alert]),
    });
    assert.equal(answer.status, 200, await answer.text());
  }

  const diskFull = {
    labels: { alertname: 'DiskFull', severity: 'critical', instance: 'db-1' },
    annotations: { summary: 'The disk of db-1 is <full> & needs "room"' },
  };

  /** Waits for the post whose first attachment has a title that starts like this. */
  const alertPost = (channel, title) =>
    eventually(`the post ${title}`, async () => {
      const posts = await postsIn(scene.admin, channel.id);
      return posts.find((post) => post.props.attachments?.[0]?.title.startsWith(title));
    });

  async function metric(name, integration = 'slack') {
    const answer = await fetch(`${url}/metrics`);
    const lines = (await answer.text()).split('\n');
    const values = lines.filter(
      (line) => line.startsWith(`${name}{`) && line.includes(`integration="${integration}"`),
    );
    return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  test('a firing alert becomes a post with an attachment', async () => {
    await report(diskFull);
    const post = await alertPost(scene.channel, '[FIRING:1] DiskFull');
    assert.equal(post.message, '');
    assert.equal(post.type, 'slack_attachment');
    assert.equal(post.props.from_webhook, 'true');
    assert.equal(post.props.override_username, 'Alertmanager');
    const [attachment] = post.props.attachments;
    assert.equal(attachment.color, 'danger');
    assert.match(attachment.fallback, /^\[FIRING:1\] DiskFull/);
    assert.match(attachment.title_link, /^http:\/\/.*\/#\/alerts\?receiver=hookline/);
    assert.equal(attachment.text, diskFull.annotations.summary);
    assert.deepEqual(attachment.fields, [{ title: 'Severity', value: 'critical', short: true }]);
  });

  test('the resolved alert becomes another post', async () => {
    await report({ ...diskFull, endsAt: new Date().toISOString() });
    const post = await alertPost(scene.channel, '[RESOLVED] DiskFull');
    assert.equal(post.props.attachments[0].color, 'good');
    assert.equal((await postsIn(scene.admin, scene.channel.id)).length, 2);
  });

  test('a receiver with its own channel, name and emoji', async () => {
    await report({ labels: { alertname: 'Fire', target: 'channel' } });
    const post = await alertPost(alerts, '[FIRING:1] Fire');
    assert.equal(post.props.override_username, 'Guard');
    assert.match(post.props.override_icon_emoji, /^:?fire:?$/);
  });

  describe('its webhook receiver', () => {
    const labels = (instance) => ({
      alertname: 'Disk <full>',
      target: 'webhook',
      severity: 'warning',
      instance,
    });
    const alert = (instance, fields) => ({
      labels: labels(instance),
      annotations: { summary: `${instance} is full @all` },
      ...fields,
    });
    /** Waits until the oldest message of the channel has this text. */
    const rootPost = (text) =>
      eventually(`a message ${text}`, async () => {
        const root = (await postsIn(scene.admin, grouped.id)).at(-1);
        return root && text.test(root.message) && root;
      });

    test('an alert group becomes a message, and later alerts of it replies', async () => {
      await report(alert('db-1'));
      const root = await rootPost(/^Firing: \[Disk/);
      assert.match(root.message, /\(http:\/\/.*:\d+\) – db-1 is full @\u200ball$/);
      const [{ color, text, fields }] = root.props.attachments;
      assert.match(text, /^- firing: db-1$/);
      assert.deepEqual(
        [color, fields.find(({ title }) => title === 'severity').value],
        ['#d4a72c', 'warning'],
      );

      await report(alert('db-2'));
      const reply = await eventually('a reply', async () =>
        (await postsIn(scene.admin, grouped.id)).find((post) => post.root_id === root.id),
      );
      assert.match(reply.message, /^Firing \(2\): /);
      assert.match(reply.props.attachments[0].text, /^- firing: db-1 – .*\n- firing: db-2 – /);
    });

    test('alerts beyond its limit are counted', async () => {
      for (const instance of ['db-3', 'db-4', 'db-5']) await report(alert(instance));
      await eventually('a count', async () => {
        const [{ props }] = await postsIn(scene.admin, grouped.id);
        return /^and 3 more$/m.test(props.attachments[0].text);
      });
    });

    test('once all are resolved, the first message says so', async () => {
      const [before] = (await postsIn(scene.admin, grouped.id)).slice(-1);
      for (let n = 1; n <= 5; n++) await report(alert(`db-${n}`, { endsAt: new Date().toISOString() }));
      const root = await rootPost(/^:white_check_mark: Resolved: \[Disk/);
      assert.equal(root.id, before.id);
      assert.ok(root.edit_at > 0);
      assert.equal(root.props.attachments[0].color, '#2da44e');
      const others = (await postsIn(scene.admin, grouped.id)).filter(({ id }) => id !== root.id);
      assert.ok(others.every((post) => post.root_id === root.id));
    });

    test('Alertmanager counts no failed notification', async () => {
      assert.ok((await metric('alertmanager_notifications_total', 'webhook')) > 3);
      assert.equal(await metric('alertmanager_notification_requests_failed_total', 'webhook'), 0);
    });
  });

  test('Alertmanager counts no failed notification', async () => {
    await eventually(
      'three notifications',
      async () => (await metric('alertmanager_notifications_total')) === 3,
    );
    assert.equal(await metric('alertmanager_notification_requests_failed_total'), 0);
    assert.equal(await metric('alertmanager_notifications_failed_total'), 0);
  });
});
