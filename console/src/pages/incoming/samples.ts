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
