import { requireFormat } from '../../../src/incoming-hooks/incoming-hook.rules.js';
import { alertmanager, grafana } from '../../../src/incoming-hooks/formats/alerts.js';
import { cloudevents } from '../../../src/incoming-hooks/formats/cloudevents.js';
import { gitea } from '../../../src/incoming-hooks/formats/gitea.js';
import { github } from '../../../src/incoming-hooks/formats/github.js';
import { gitlab } from '../../../src/incoming-hooks/formats/gitlab.js';
import * as layout from '../../../src/incoming-hooks/formats/layout.js';
import { jsonOrText } from '../../../src/incoming-hooks/formats/sent.js';
import { sentry } from '../../../src/incoming-hooks/formats/sentry.js';
import { teams } from '../../../src/incoming-hooks/formats/teams.js';
import {
  compileTemplate,
  MAX_TEMPLATE_BYTES,
  renderTemplate,
} from '../../../src/incoming-hooks/formats/template.js';
import * as decoder from '../../../src/incoming-hooks/payload/payload-decoder.js';
import { attempt, body, BODY, bodyWith, bytes, header, type TextFunction, upTo } from './kinds.js';

const issue = (text: string): object => ({
  ...{ number: 1, title: text, body: text, html_url: `https://${text}`, url: `https://${text}` },
});
const forge = (text: string): object => ({
  action: 'opened',
  issue: issue(text),
  repository: { full_name: text, html_url: text },
  sender: { login: text },
});
const push = (text: string): Record<string, unknown> => ({
  ref: `refs/heads/${text}`,
  commits: [{ id: text, message: text, author: { name: text } }],
});
const alerts = (text: string): Record<string, unknown> => ({
  status: 'firing',
  groupKey: text,
  commonLabels: { alertname: text },
  commonAnnotations: { summary: text },
  alerts: [{ status: text, labels: { instance: text }, annotations: { summary: text }, valueString: text }],
});
let count = 0;

/** The functions of the formats of incoming webhooks that take text from outside, by file and name. */
export const FORMAT_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  'incoming-hooks/formats/github.ts github': bodyWith(7)((text) => [
    github(forge(text) as never, { 'x-github-event': 'issues' }),
    github(push(text), { 'x-github-event': 'push' }),
  ]),
  'incoming-hooks/formats/gitea.ts gitea': bodyWith(7)((text) => [
    gitea(forge(text) as never, { 'x-gitea-event': 'issues' }),
    gitea(push(text), { 'x-gitea-event': 'push' }),
  ]),
  'incoming-hooks/formats/gitlab.ts gitlab': bodyWith(7)((text) => [
    gitlab({ object_kind: 'issue', object_attributes: { ...issue(text), action: 'open' } }),
    gitlab({ object_kind: 'push', user_name: text, ...push(text) }),
    gitlab({ object_kind: text }),
  ]),
  'incoming-hooks/formats/alerts.ts alertmanager': bodyWith(7)((text) => alertmanager(alerts(text))),
  'incoming-hooks/formats/alerts.ts grafana': bodyWith(7)((text) => [
    grafana(alerts(text)),
    grafana({ ruleId: 1, state: text, title: text, message: text }),
  ]),
  'incoming-hooks/formats/sentry.ts sentry': bodyWith(4)((text) =>
    sentry(
      { action: 'created', data: { issue: { title: text, culprit: text, level: text, id: text } } },
      { 'sentry-hook-resource': 'issue' },
    ),
  ),
  'incoming-hooks/formats/teams.ts teams': bodyWith(5)((text) => [
    teams({
      '@type': 'MessageCard',
      title: text,
      text,
      sections: [{ facts: [{ name: text, value: text }] }],
    }),
    attempt(() => teams({ type: 'AdaptiveCard', body: [{ type: 'TextBlock', text }] })),
  ]),
  'incoming-hooks/formats/cloudevents.ts cloudevents': bodyWith(4)((text) =>
    attempt(() => cloudevents({ specversion: '1.0', id: text, source: text, type: text, data: text }, {})),
  ),
  'incoming-hooks/formats/sent.ts jsonOrText': body((text) => [jsonOrText(text), jsonOrText(`1 ${text}`)]),
  'incoming-hooks/formats/layout.ts md': body((text) => layout.md`${text}`),
  'incoming-hooks/formats/layout.ts after': body((text) => layout.after(text)),
  'incoming-hooks/formats/layout.ts link': body((text) => [
    layout.link(text, text),
    layout.link(text, 'http://a'),
  ]),
  'incoming-hooks/formats/layout.ts codeBlock': body(layout.codeBlock),
  'incoming-hooks/formats/layout.ts harmlessMarkdown': body((text) => layout.harmlessMarkdown(text)),
  // Not shortened, because V8 takes several times as long for a text once it ends with an ellipsis.
  'incoming-hooks/formats/layout.ts literal': body((text) => layout.literal(text, BODY)),
  'incoming-hooks/formats/layout.ts firstLine': body(layout.firstLine),
  'incoming-hooks/formats/layout.ts keyOf': body(layout.keyOf),
  'incoming-hooks/formats/layout.ts isWebUrl': body((text) => layout.isWebUrl(`https://${text}`)),
  // Each time another template, because compiled ones are cached.
  'incoming-hooks/formats/template.ts compileTemplate': upTo(MAX_TEMPLATE_BYTES - 32)((text) => [
    attempt(() => compileTemplate(`${text}${count++}`)),
    attempt(() => compileTemplate(`{{ "${text}" }}${count++}`)),
  ]),
  'incoming-hooks/formats/template.ts renderTemplate': body((text) =>
    attempt(() =>
      renderTemplate(
        '{{ body | literal }}{{ body | strip_html | escape | truncatewords: 5 }}',
        { body: text, headers: {}, query: {} },
        `${count++}`, // never paused
      ),
    ),
  ),
  'incoming-hooks/incoming-hook.rules.ts requireFormat': upTo(MAX_TEMPLATE_BYTES - 32)((text) =>
    attempt(() => requireFormat('template', `${text}${count++}`)),
  ),
  'incoming-hooks/payload/payload-decoder.ts mediaTypeOf': header((text) =>
    attempt(() => decoder.mediaTypeOf(`text/plain; charset=${text}`)),
  ),
  'incoming-hooks/payload/payload-decoder.ts bodyText': body((text) =>
    decoder.bodyText(bytes(text), undefined),
  ),
  'incoming-hooks/payload/payload-decoder.ts documentOf': body((text) =>
    attempt(() => decoder.documentOf(text)),
  ),
  'incoming-hooks/payload/payload-decoder.ts payloadFrom': body((text) => decoder.payloadFrom({ text })),
};
