/** Payloads as programs send them, to try a webhook with. */
export const SAMPLES: Readonly<Record<string, object>> = {
  Mattermost: {
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
  'Slack blocks': {
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Deployment' } },
      { type: 'section', text: { type: 'mrkdwn', text: '*web* is at version 2.4.1' } },
    ],
  },
  GitHub: {
    username: 'GitHub',
    text: '[hookline/demo] Pull request [#42 Retry on 503](https://github.com/hookline/demo/pull/42) opened by ann',
    attachments: [
      {
        color: '#0366d6',
        title: 'Retry on 503',
        text: 'The receiver says when to come back; we listen now.',
      },
    ],
  },
  GitLab: {
    username: 'GitLab',
    text: 'ann pushed to branch <https://gitlab.com/demo/-/tree/main|main> of <https://gitlab.com/demo|demo>',
    attachments: [
      { color: '#345', text: '<https://gitlab.com/demo/-/commit/1f8zcm5w|1f8zcm5w>: Retry on 503' },
    ],
  },
  Grafana: {
    title: '[FIRING:1] High load',
    message: '**Firing**\n\nValue: load=8.1',
    text: '**[FIRING:1] High load** load=8.1',
  },
  Alertmanager: {
    text: '**[FIRING]** InstanceDown on db-1',
    attachments: [{ color: 'danger', title: 'InstanceDown', text: 'db-1 has been down for 5 minutes.' }],
  },
};
