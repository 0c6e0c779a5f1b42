import type { Format } from './senders';

/** A call for testing a webhook. */
export interface Sample {
  /** One per line. */
  readonly headers: string;
  readonly body: string;
}

const FIELDS = [
  { short: true, title: 'Branch', value: 'main' },
  { short: true, title: 'Duration', value: '4 min' },
];
const BUILD = { color: '#2eb67d', title: 'Build 417', text: 'All 312 tests passed.', fields: FIELDS };
const BLOCKS = [
  { type: 'header', text: { type: 'plain_text', text: 'Deployment' } },
  { type: 'section', text: { type: 'mrkdwn', text: '*web* is at version 2.4.1' } },
];
const ISSUE = {
  number: 42,
  title: 'The build is slow',
  html_url: 'https://git.example.com/demo/web/issues/42',
};
const REPOSITORY = { full_name: 'demo/web', html_url: 'https://git.example.com/demo/web' };
const OPENED = { action: 'opened', issue: ISSUE, repository: REPOSITORY, sender: { login: 'ann' } };
const LABELS = { alertname: 'InstanceDown', severity: 'critical' };
const ALERTS = {
  ...{ status: 'firing', groupKey: '{}:{alertname="InstanceDown"}', commonLabels: LABELS },
  externalURL: 'https://alerts.example.com',
  commonAnnotations: { summary: 'db-1 has been down for 5 minutes.' },
  alerts: [{ status: 'firing', labels: { ...LABELS, instance: 'db-1' } }],
};
const FAULT = {
  ...{
    id: '1',
    shortId: 'WEB-1',
    title: 'TypeError: x is undefined',
    culprit: 'app/main.js',
    level: 'error',
  },
  ...{ project: { name: 'Web' }, web_url: 'https://sentry.example.com/issues/1' },
};
const CARD = { title: 'Deployment', text: '**web** is at version 2.4.1', themeColor: '2eb67d' };
const SHOP = 'https://shop.example.com/orders';

type NamedCall = readonly [name: string, body: object, headers?: string];

/** Sample calls, with the name of the program that sends such. */
const CALLS: Readonly<Record<Format, readonly NamedCall[]>> = {
  mattermost: [
    ['Mattermost: a message with an attachment', { text: 'Build **417** has passed.', attachments: [BUILD] }],
    ['Slack: blocks', { blocks: BLOCKS }],
    [
      'Alertmanager, by its slack_configs',
      {
        username: 'Alertmanager',
        attachments: [
          { color: 'danger', title: '[FIRING:1] InstanceDown', text: ALERTS.commonAnnotations.summary },
        ],
      },
    ],
  ],
  github: [['GitHub: a new issue', OPENED, 'X-GitHub-Event: issues']],
  gitlab: [
    [
      'GitLab: a new issue',
      {
        ...{ object_kind: 'issue', user: { username: 'ann' } },
        project: { path_with_namespace: 'demo/web', web_url: REPOSITORY.html_url },
        object_attributes: { iid: 42, action: 'open', title: ISSUE.title, url: ISSUE.html_url },
      },
    ],
  ],
  gitea: [['Gitea: a new issue', OPENED, 'X-Gitea-Event: issues']],
  grafana: [['Grafana: an alert', ALERTS]],
  alertmanager: [['Alertmanager: an alert', ALERTS]],
  sentry: [
    [
      'Sentry: a new issue',
      { action: 'created', actor: { name: 'Sentry' }, data: { issue: FAULT } },
      'Sentry-Hook-Resource: issue',
    ],
  ],
  teams: [['Teams: a message card', { '@type': 'MessageCard', ...CARD }]],
  cloudevents: [
    [
      'CloudEvents: an event',
      { specversion: '1.0', id: '1', source: SHOP, type: 'com.example.order.created', data: { order: 42 } },
    ],
  ],
  template: [['Template: any JSON', { job: 'web', status: 'failed', minutes: 4 }]],
};

/** The samples for a format, by name. */
export const samplesOf = (format: Format): Readonly<Record<string, Sample>> =>
  Object.fromEntries(
    CALLS[format].map(([name, body, headers = '']) => [
      name,
      { headers, body: JSON.stringify(body, null, 2) },
    ]),
  );
