import type { JsonObject } from '../../platform/common/json.js';
import { handled, type Handlers, ignoredAction } from './forge.js';
import { COLOR, type Formatted, keyOf, link, md, report } from './layout.js';
import { requireObject, requireText, textAt, unexpected, valueAt } from './sent.js';

interface Event {
  readonly body: JsonObject;
  readonly action: string;
  readonly actor: string;
}

/**
 * Formats the calls of Sentry's integrations and of its older webhook plugin (docs/contract/incoming-webhooks.md#formats).
 * Throws PayloadError.
 */
export function sentry(body: JsonObject, headers: Readonly<Record<string, string>>): Formatted {
  const name = headers['sentry-hook-resource'] ?? '';
  if (name === '' && valueAt(body, 'project_name') !== undefined) return pluginAlert(body);
  if (name === '') throw unexpected('the header Sentry-Hook-Resource is missing');
  return handled(EVENTS, name, {
    body,
    action: textAt(body, 'action'),
    actor: textAt(body, 'actor.name') || 'Sentry',
  });
}

const LEVELS: Readonly<Record<string, string>> = {
  ...{ fatal: COLOR.bad, error: COLOR.bad, critical: COLOR.bad, warning: COLOR.warning },
  ...{ info: COLOR.info, debug: COLOR.neutral, sample: COLOR.neutral, resolved: COLOR.good },
};

function colorOf(level: string): string {
  return (Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined) ?? COLOR.bad;
}

const ISSUE_VERBS: Readonly<Record<string, string>> = {
  created: 'found',
  resolved: 'resolved',
  unresolved: 'reopened',
  assigned: 'assigned',
  archived: 'archived',
  ignored: 'archived',
};

function issue({ body, action, actor }: Event): Formatted {
  const found = requireObject(body, 'data.issue');
  const verb = Object.hasOwn(ISSUE_VERBS, action) ? ISSUE_VERBS[action] : undefined;
  if (verb === undefined) return ignoredAction('issue', action);
  const isSettled = action === 'resolved' || action === 'archived' || action === 'ignored';
  const url = textAt(found, 'web_url', 'permalink');
  const assignee = textAt(found, 'assignedTo.name');
  return report({
    text: md`${actor} ${verb} issue ${link(`${textAt(found, 'shortId')} ${requireText(found, 'title')}`, url)} in ${textAt(found, 'project.name', 'project.slug')}`,
    color: isSettled ? COLOR.good : colorOf(textAt(found, 'level')),
    details: textAt(found, 'culprit'),
    fields: [
      ['Events', action === 'created' ? '' : textAt(found, 'count')],
      ['Assigned to', assignee],
    ],
    key: keyOf(`issue:${textAt(found, 'id')}`),
    onKey: isSettled ? 'resolve' : 'thread',
  });
}

/** An event of an issue: an error, or one that an alert rule matched. */
const occurrence =
  (at: string) =>
  ({ body }: Event): Formatted => {
    const event = requireObject(body, at);
    const rule = textAt(body, 'data.triggered_rule', 'data.issue_alert.title');
    return report({
      text: md`${rule === '' ? 'Error' : md`Alert ${rule}`}: ${link(requireText(event, 'title'), textAt(event, 'web_url'))}`,
      color: colorOf(textAt(event, 'level')),
      details: textAt(event, 'culprit', 'message'),
      fields: [
        ['Environment', textAt(event, 'environment')],
        ['Release', textAt(event, 'release')],
      ],
      key: keyOf(`issue:${textAt(event, 'issue_id', 'event_id')}`),
      onKey: 'thread',
    });
  };

function metricAlert({ body, action }: Event): Formatted {
  const alert = requireObject(body, 'data.metric_alert');
  return report({
    text: md`${action}: ${link(requireText(body, 'data.description_title'), textAt(body, 'data.web_url'))}`,
    color: colorOf(action),
    details: textAt(body, 'data.description_text'),
    key: keyOf(`metric-alert:${textAt(alert, 'id')}`),
    onKey: action === 'resolved' ? 'resolve' : 'thread',
  });
}

function comment({ body, action, actor }: Event): Formatted {
  const text = requireText(body, 'data.comment');
  if (action !== 'created') return ignoredAction('comment', action);
  return report({
    text: md`${actor} commented on an issue in ${textAt(body, 'data.project_slug')}`,
    color: COLOR.info,
    details: text,
    key: keyOf(`issue:${textAt(body, 'data.issue_id')}`),
    onKey: 'thread',
  });
}

function pluginAlert(body: JsonObject): Formatted {
  const title = textAt(body, 'event.title', 'message') || requireText(body, 'culprit');
  return report({
    text: md`${link(title, textAt(body, 'url'))} in ${textAt(body, 'project_name')}`,
    color: colorOf(textAt(body, 'level')),
    details: textAt(body, 'culprit'),
    fields: [['Environment', textAt(body, 'event.environment')]],
    key: keyOf(`issue:${textAt(body, 'id')}`),
    onKey: 'thread',
  });
}

/** Every resource of Sentry's documentation: how it is shown, or why it is not. */
export const EVENTS: Handlers<Event> = {
  issue,
  error: occurrence('data.error'),
  event_alert: occurrence('data.event'),
  metric_alert: metricAlert,
  comment,

  installation: 'the installation of the integration is not shown',
  seer: 'the steps of Seer are not shown',
  preprod_artifact: 'build artifacts are not shown',
};
