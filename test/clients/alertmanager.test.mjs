/** Prometheus Alertmanager: its Slack receiver, pointed at a hook. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findFreePort } from '../support/server-process.mjs';
import { findProgram } from './support/machine-clients.mjs';
import { Program } from './support/program.mjs';
import { buildChannel, buildScene, eventually, postsIn } from './support/scene.mjs';

const configOf = (scene, { name }) => `
route:
  receiver: hookline
  group_by: [alertname]
  group_wait: 0s
  group_interval: 1s
  routes:
    - receiver: hookline-channel
      matchers: [target = "channel"]
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
`;

describe('Prometheus Alertmanager', () => {
  let scene, alerts, program, url;

  before(async () => {
    scene = await buildScene('alertmanager');
    alerts = await buildChannel(scene.admin, scene.team.id, 'alerts');
    program = new Program(findProgram('prometheus-alertmanager'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const args = [
      `--config.file=${program.write('alertmanager.yml', configOf(scene, alerts))}`,
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

  async function metric(name) {
    const answer = await fetch(`${url}/metrics`);
    const lines = (await answer.text()).split('\n');
    const values = lines.filter(
      (line) => line.startsWith(`${name}{`) && line.includes('integration="slack"'),
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

  test('Alertmanager counts no failed notification', async () => {
    await eventually(
      'three notifications',
      async () => (await metric('alertmanager_notifications_total')) === 3,
    );
    assert.equal(await metric('alertmanager_notification_requests_failed_total'), 0);
    assert.equal(await metric('alertmanager_notifications_failed_total'), 0);
  });
});
