import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import {
  bodyText,
  documentOf,
  type IncomingPayload,
  mediaTypeOf,
  payloadFrom,
  type PayloadInput,
} from '../payload/payload-decoder.js';
import { PayloadError, readParts } from '../payload/payload-forms.js';
import { alertmanager, grafana } from './alerts.js';
import { cloudevents } from './cloudevents.js';
import { gitea } from './gitea.js';
import { github } from './github.js';
import { gitlab } from './gitlab.js';
import type { Formatted } from './layout.js';
import { jsonOrText, unexpected } from './sent.js';
import { sentry } from './sentry.js';
import { teams } from './teams.js';
import { renderTemplate, TemplateError, type TemplateScope } from './template.js';

type Headers = Readonly<Record<string, string>>;

/** The formats of programs: each is a pure function from a call to a message. Throws PayloadError. */
export const FORMATTERS: ReadonlyMap<string, (body: JsonObject, headers: Headers) => Formatted> = new Map([
  ['github', github],
  ['gitlab', gitlab],
  ['gitea', gitea],
  ['grafana', grafana],
  ['alertmanager', alertmanager],
  ['sentry', sentry],
  ['teams', teams],
]);

export const PAYLOAD_FORMAT = 'mattermost';
/** The values of `format` of an incoming webhook (docs/contract/incoming-webhooks.md#formats). */
export const FORMATS = [PAYLOAD_FORMAT, ...FORMATTERS.keys(), 'cloudevents', 'template'];

const MAX_FORM_FIELDS = 1_000;

/** A call of a webhook whose format is not that of Mattermost. */
export interface FormattedCall extends PayloadInput {
  /** By lower-case name, without those that may contain secrets. */
  readonly headers: Headers;
  readonly query: Readonly<Record<string, unknown>>;
}

/** A webhook, or what a preview would make of it, which has no `updateAt`: previews and calls do not pause each other. */
export type FormattedHook = Pick<IncomingHook, 'id' | 'format' | 'template'> &
  Partial<Pick<IncomingHook, 'updateAt' | 'verifier' | 'aliasPath'>>;

/** Decodes a call in the format of its webhook. Throws PayloadError, TemplateError. */
export async function decodeFormat(
  { id, updateAt, format, template }: FormattedHook,
  call: FormattedCall,
): Promise<IncomingPayload> {
  // An event without data has no body in binary mode.
  const body = format === 'cloudevents' && call.body.length === 0 ? '' : await readBody(call);
  if (format === 'template')
    return fromTemplate(
      template,
      { body, headers: call.headers, query: call.query },
      `${id} ${updateAt ?? 'preview'}`,
    );
  if (format === 'cloudevents') return payloadFor(cloudevents(body, call.headers));
  const formatter = FORMATTERS.get(format);
  if (!formatter) throw unexpected(`this version of the server does not know the format ${format}`);
  if (!isJsonObject(body)) throw unexpected('the body must be a JSON object');
  return payloadFor(formatter(body, call.headers));
}

function payloadFor(formatted: Formatted): IncomingPayload {
  if ('ignored' in formatted) return { ...payloadFrom({}), ignored: formatted.ignored };
  const { message, ...keys } = formatted;
  return { ...payloadFrom(message), ...keys };
}

/** Whether the text of a template, without its tags, is a JSON object: what senders fill in never makes one. */
function isWrittenAsJson(template: string): boolean {
  return template
    .replace(/\{\{[^}]*\}\}|\{%[^%]*%\}/g, '')
    .trim()
    .startsWith('{');
}

function fromTemplate(template: string, scope: TemplateScope, pauseKey: string): IncomingPayload {
  const output = renderTemplate(template, scope, pauseKey);
  if (output === '') return { ...payloadFrom({}), ignored: 'the output of the template is empty' };
  const document = isWrittenAsJson(template) ? jsonOrText(output) : output;
  if (!isJsonObject(document)) return payloadFrom({ text: output });
  try {
    return payloadFrom(document);
  } catch (error) {
    throw error instanceof PayloadError ? new TemplateError(`in its output, ${error.detail}`) : error;
  }
}

/** Reads a body as JSON, the fields of a form, or text. JSON in a field `payload` takes the place of a form. */
async function readBody({ contentType, body }: PayloadInput): Promise<unknown> {
  const media = mediaTypeOf(contentType);
  if (media?.type === 'multipart/form-data')
    return formBody(await readParts(body, media.parameters.get('boundary')));
  const text = bodyText(body, media);
  if (media?.type === 'application/x-www-form-urlencoded') return formBody([...new URLSearchParams(text)]);
  return /[/+]json$/.test(media?.type ?? '') ? documentOf(text) : jsonOrText(text);
}

function formBody(fields: ReadonlyArray<readonly [string, string]>): unknown {
  const form = Object.fromEntries(fields.slice(0, MAX_FORM_FIELDS));
  const payload = Object.hasOwn(form, 'payload') ? jsonOrText(form['payload'] ?? '') : undefined;
  return isJsonObject(payload) ? payload : form;
}
