import type { JsonObject } from '../../platform/common/json.js';
import { after, COLOR, type Formatted, keyOf, lines, link, Markdown, md, report } from './layout.js';
import { countAt, objectsAt, requireText, textAt, unexpected, valueAt } from './sent.js';

/* Alertmanager, and Grafana, whose calls have the same shape. */

const MAX_ALERTS = 20;
const MAX_LABELS = 15;

/** Formats the calls of Alertmanager (docs/contract/incoming-webhooks.md#formats). Throws PayloadError. */
export function alertmanager(body: JsonObject): Formatted {
  return alertGroup(body, textAt(body, 'externalURL'));
}

/** Formats the calls of a Grafana contact point (docs/contract/incoming-webhooks.md#formats). Throws PayloadError. */
export function grafana(body: JsonObject): Formatted {
  // Legacy alerting, before Grafana 9.
  if (valueAt(body, 'ruleId') !== undefined) return legacyAlert(body);
  const [first] = objectsAt(body, 'alerts', 1);
  return alertGroup(body, textAt(first, 'panelURL', 'dashboardURL') || textAt(body, 'externalURL'));
}

function alertGroup(body: JsonObject, url: string): Formatted {
  const status = requireText(body, 'status');
  const key = requireText(body, 'groupKey');
  if (!Array.isArray(valueAt(body, 'alerts'))) throw unexpected('alerts must be a list');
  const alerts = objectsAt(body, 'alerts', MAX_ALERTS);
  const isResolved = status === 'resolved';
  const firing = alerts.filter((alert) => textAt(alert, 'status') === 'firing').length;
  const [first] = alerts;
  const name =
    textAt(body, 'commonLabels.alertname', 'groupLabels.alertname') || textAt(first, 'labels.alertname');
  const summary = textAt(body, 'commonAnnotations.summary');
  const count = isResolved || firing < 2 ? '' : md` (${firing})`;
  const more = countAt(body, 'alerts') - alerts.length + (Number(textAt(body, 'truncatedAlerts')) || 0);
  return report({
    text: md`${isResolved ? 'Resolved' : 'Firing'}${count}: ${link(name || 'alerts', url)}${after(summary)}`,
    color: isResolved
      ? COLOR.good
      : textAt(body, 'commonLabels.severity') === 'warning'
        ? COLOR.warning
        : COLOR.bad,
    details: lines([
      ...alerts.map((alert) => alertLine(alert, summary)),
      more > 0 ? md`and ${more} more` : md``,
    ]),
    fields: labelsOf(body).map((label) => [label, textAt(valueAt(body, 'commonLabels'), label)]),
    picture: textAt(first, 'imageURL'),
    key: keyOf(key),
    onKey: isResolved ? 'resolve' : 'thread',
  });
}

function labelsOf(body: JsonObject): string[] {
  const labels = valueAt(body, 'commonLabels');
  return Object.keys(labels instanceof Object ? labels : {})
    .filter((label) => label !== 'alertname' && !label.includes('.'))
    .slice(0, MAX_LABELS);
}

function alertLine(alert: JsonObject, summaryOfAll: string): Markdown {
  const text = textAt(alert, 'annotations.summary', 'annotations.description', 'annotations.message');
  const name = textAt(alert, 'labels.instance', 'labels.pod', 'labels.job', 'labels.alertname') || 'alert';
  const values = textAt(alert, 'valueString');
  const silence = textAt(alert, 'silenceURL');
  const shown = text === summaryOfAll ? '' : text;
  return md`- ${textAt(alert, 'status')}: ${link(name, textAt(alert, 'generatorURL'))}${after(shown)}${values && md` ${values}`}${silence && md` (${link('silence', silence)})`}`;
}

function legacyAlert(body: JsonObject): Formatted {
  const state = requireText(body, 'state');
  const isResolved = state === 'ok';
  return report({
    text: md`${link(textAt(body, 'title', 'ruleName'), textAt(body, 'ruleUrl'))}`,
    color: isResolved ? COLOR.good : state === 'alerting' ? COLOR.bad : COLOR.warning,
    details: textAt(body, 'message'),
    fields: objectsAt(body, 'evalMatches', MAX_ALERTS).map((match) => [
      textAt(match, 'metric'),
      textAt(match, 'value'),
    ]),
    picture: textAt(body, 'imageUrl'),
    key: keyOf(`rule:${textAt(body, 'orgId')}:${textAt(body, 'ruleId')}`),
    onKey: isResolved ? 'resolve' : 'thread',
  });
}
