import type { IncomingHook } from './incoming-queries';

export type Format = IncomingHook['format'];

interface FormatText {
  readonly title: string;
  readonly hint: string;
}

/** How a webhook can read its calls. */
export const FORMATS: Readonly<Record<Format, FormatText>> = {
  mattermost: {
    title: 'Mattermost or Slack',
    hint: 'Payloads of Mattermost and Slack, such as {"text": "…"}.',
  },
  github: { title: 'GitHub', hint: 'Events of GitHub, sent with the content type application/json.' },
  gitlab: { title: 'GitLab', hint: 'Events of projects and groups of GitLab.' },
  gitea: { title: 'Gitea, Forgejo or Gogs', hint: 'Events of Gitea, Forgejo and Gogs.' },
  grafana: { title: 'Grafana', hint: 'Alerts of a webhook contact point of Grafana.' },
  alertmanager: { title: 'Alertmanager', hint: 'Alerts of a webhook receiver of Alertmanager.' },
  sentry: { title: 'Sentry', hint: 'Issues and alerts of an integration of Sentry.' },
  teams: { title: 'Microsoft Teams', hint: 'Message cards and Adaptive Cards for Microsoft Teams.' },
  cloudevents: { title: 'CloudEvents', hint: 'One CloudEvent 1.0 in each call.' },
  template: { title: 'A template', hint: 'Any body. Your template makes the message.' },
};
