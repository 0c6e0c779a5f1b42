/** Sample payloads for testing a webhook, named by the programs that send them. */
const PAYLOADS: Readonly<Record<string, object>> = {
  'Mattermost: a message with an attachment': {
    text: 'Build **417** has passed.',
    attachments: [
      {
        color: '#2eb67d',
        title: 'Build 417',
        text: 'All 312 tests passed.',
        fields: [
          { short: true, title: 'Branch', value: 'main' },
          { short: true, title: 'Duration', value: '4 min' },
        ],
      },
    ],
  },
  'Slack: blocks': {
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Deployment' } },
      { type: 'section', text: { type: 'mrkdwn', text: '*web* is at version 2.4.1' } },
    ],
  },
  'GitHub, by the action slackapi/slack-github-action': {
    text: '*GitHub Action build result*: success\nhttps://github.com/hookline/demo/pull/42',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: 'GitHub Action build result: success\nhttps://github.com/hookline/demo/pull/42',
        },
      },
    ],
  },
  'GitLab, by its Mattermost notifications': {
    username: 'GitLab',
    text: 'Ann pushed to branch <https://gitlab.com/demo/web/-/commits/main|main> of <https://gitlab.com/demo/web|Demo / web> (<https://gitlab.com/demo/web/-/compare/4be7a1d0...1f8c2e93|Compare changes>)',
    attachments: [
      {
        color: '#345',
        text: '<https://gitlab.com/demo/web/-/commit/1f8c2e93|1f8c2e93>: Retry on 503 - Ann',
      },
    ],
  },
  'Grafana, by its Slack contact point': {
    username: 'Grafana',
    attachments: [
      {
        color: '#D63232',
        title: '[FIRING:1] High load (prod)',
        title_link: 'https://grafana.example.com/alerting/list',
        fallback: '[FIRING:1] High load (prod)',
        text: '**Firing**\n\nValue: A=8.1\nLabels:\n - alertname = High load\n - env = prod\nAnnotations:\n - summary = The load of db-1 is high\nSource: https://grafana.example.com/alerting/grafana/d1/view\n',
        footer: 'Grafana v12.0.0',
        footer_icon: 'https://grafana.com/static/assets/img/fav32.png',
        ts: 1_764_000_000,
      },
    ],
  },
  'Alertmanager, by its slack_configs': {
    username: 'Alertmanager',
    attachments: [
      {
        title: '[FIRING:1] InstanceDown (db-1 node critical)',
        title_link: 'http://alertmanager.example.com:9093/#/alerts?receiver=hookline',
        text: 'db-1 has been down for 5 minutes.',
        fallback:
          '[FIRING:1] InstanceDown (db-1 node critical) | http://alertmanager.example.com:9093/#/alerts?receiver=hookline',
        callback_id: '',
        footer: '',
        color: 'danger',
        mrkdwn_in: ['fallback', 'pretext', 'text'],
      },
    ],
  },
};

/** The samples as JSON text. */
export const SAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PAYLOADS).map(([name, payload]) => [name, JSON.stringify(payload, null, 2)]),
);
