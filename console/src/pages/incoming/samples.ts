import type { Format } from './formats';

/** A payload for testing a webhook. */
export interface Sample {
  /** One per line. */
  readonly headers: string;
  readonly body: string;
}

/** Sample payloads in the format of Mattermost and Slack, named by the programs that send them. */
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

const REPOSITORY = { full_name: 'demo/web', html_url: 'https://git.example.com/demo/web' };
const ISSUE = {
  number: 42,
  title: 'The build is slow',
  html_url: 'https://git.example.com/demo/web/issues/42',
  body: 'It takes 20 minutes.',
};
const ALERTS = {
  status: 'firing',
  groupKey: '{}:{alertname="InstanceDown"}',
  externalURL: 'https://alerts.example.com',
  commonLabels: { alertname: 'InstanceDown', severity: 'critical' },
  commonAnnotations: { summary: 'db-1 has been down for 5 minutes.' },
  alerts: [{ status: 'firing', labels: { alertname: 'InstanceDown', instance: 'db-1' } }],
};

/** Sample calls in the other formats: their names, headers and bodies. */
const CALLS: Readonly<Record<Exclude<Format, 'mattermost'>, readonly [string, string, object]>> = {
  github: [
    'GitHub: a new issue',
    'X-GitHub-Event: issues',
    { action: 'opened', issue: ISSUE, repository: REPOSITORY, sender: { login: 'ann' } },
  ],
  gitlab: [
    'GitLab: a new issue',
    '',
    {
      object_kind: 'issue',
      user: { username: 'ann' },
      project: { path_with_namespace: 'demo/web', web_url: 'https://gitlab.example.com/demo/web' },
      object_attributes: { ...ISSUE, iid: 42, action: 'open', url: ISSUE.html_url, description: ISSUE.body },
    },
  ],
  gitea: [
    'Gitea: a new issue',
    'X-Gitea-Event: issues',
    { action: 'opened', issue: ISSUE, repository: REPOSITORY, sender: { login: 'ann' } },
  ],
  grafana: ['Grafana: an alert', '', ALERTS],
  alertmanager: ['Alertmanager: an alert', '', ALERTS],
  sentry: [
    'Sentry: a new issue',
    'Sentry-Hook-Resource: issue',
    {
      action: 'created',
      actor: { name: 'Sentry' },
      data: {
        issue: {
          id: '1',
          shortId: 'WEB-1',
          title: 'TypeError: x is undefined',
          culprit: 'app/main.js',
          level: 'error',
          project: { name: 'Web' },
          web_url: 'https://sentry.example.com/issues/1',
        },
      },
    },
  ],
  teams: [
    'Teams: a message card',
    '',
    {
      '@type': 'MessageCard',
      title: 'Deployment',
      text: '**web** is at version 2.4.1',
      themeColor: '2eb67d',
    },
  ],
  cloudevents: [
    'CloudEvents: an event',
    '',
    {
      specversion: '1.0',
      id: '1',
      source: 'https://shop.example.com/orders',
      type: 'com.example.order.created',
      data: { order: 42 },
    },
  ],
  template: ['Template: any JSON', '', { job: 'web', status: 'failed', minutes: 4 }],
};

const json = (payload: object): string => JSON.stringify(payload, null, 2);

/** The samples for a format, by name. */
export function samplesOf(format: Format): Readonly<Record<string, Sample>> {
  if (format === 'mattermost')
    return Object.fromEntries(
      Object.entries(PAYLOADS).map(([name, payload]) => [name, { headers: '', body: json(payload) }]),
    );
  const [name, headers, payload] = CALLS[format];
  return { [name]: { headers, body: json(payload) } };
}
