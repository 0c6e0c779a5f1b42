import { newId } from '../../../platform/common/ids.js';
import { foldKeys, isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { checkedAttachments, type SentAttachments } from './attachment-shape.js';
import { Growth } from './slack-text.js';
import { linkUrl, pictureUrl } from './safe-url.js';

/** A message attachment in its stored and wire format (docs/contract/incoming-webhooks.md#attachments). */
export interface Attachment {
  readonly id: number;
  readonly fallback: string;
  readonly color: string;
  readonly pretext: string;
  readonly author_name: string;
  readonly author_link: string;
  readonly author_icon: string;
  readonly title: string;
  readonly title_link: string;
  readonly text: string;
  readonly fields: readonly AttachmentField[] | null;
  readonly image_url: string;
  readonly thumb_url: string;
  readonly footer: string;
  readonly footer_icon: string;
  readonly ts: string | number | null;
  readonly actions?: readonly AttachmentAction[];
}

export interface AttachmentField {
  readonly title: string;
  readonly value: string | null;
  readonly short: boolean;
}

export interface AttachmentAction {
  readonly id: string;
  readonly type?: string;
  readonly name?: string;
  readonly tooltip?: string;
  readonly disabled?: boolean;
  readonly style?: string;
  readonly data_source?: string;
  readonly options?: ReadonlyArray<{ readonly text: string; readonly value: string }>;
  readonly default_option?: string;
  readonly integration?: { readonly url: string; readonly context?: JsonObject };
}

/** Size of each part as normalized JSON when the sender wrote `{}`. */
const EMPTY_BYTES = { attachment: 217, field: 40, action: 35, option: 22 } as const;

/**
 * Normalizes the `attachments` of a request (docs/contract/incoming-webhooks.md#attachments). Returns
 * undefined if no attachment is left. Throws AttachmentError, PropsTooLarge.
 */
export function normaliseAttachments(raw: unknown): Attachment[] | undefined {
  const sent = checkedAttachments(raw);
  return sent && builtAttachments(sent);
}

/**
 * Drops nulls, fills in missing texts, removes unsafe links and images, and converts field values to strings.
 * Throws PropsTooLarge.
 */
export function builtAttachments(sent: SentAttachments): Attachment[] {
  const growth = new Growth();
  return objectsOf(sent, growth, EMPTY_BYTES.attachment).map((item) => attachmentOf(item, growth));
}

/** Returns the attachments as clients may see them, without the URLs and contexts of their actions. */
export function stripActionIntegrations(attachments: readonly Attachment[]): Attachment[] {
  return attachments.map((attachment) =>
    attachment.actions === undefined
      ? attachment
      : {
          ...attachment,
          actions: attachment.actions.map(({ integration: _hidden, ...visible }) => visible),
        },
  );
}

function attachmentOf(item: JsonObject, growth: Growth): Attachment {
  const { id, ts, fields } = item;
  const actions = actionsOf(item['actions'], growth);
  return {
    id: typeof id === 'number' ? id : 0,
    fallback: textOf(item, 'fallback'),
    color: textOf(item, 'color'),
    pretext: textOf(item, 'pretext'),
    author_name: textOf(item, 'author_name'),
    author_link: linkUrl(textOf(item, 'author_link')),
    author_icon: pictureUrl(textOf(item, 'author_icon')),
    title: textOf(item, 'title'),
    title_link: linkUrl(textOf(item, 'title_link')),
    text: textOf(item, 'text'),
    fields: Array.isArray(fields) ? fieldsOf(fields, growth) : null,
    image_url: pictureUrl(textOf(item, 'image_url')),
    thumb_url: pictureUrl(textOf(item, 'thumb_url')),
    footer: textOf(item, 'footer'),
    footer_icon: pictureUrl(textOf(item, 'footer_icon')),
    ts: typeof ts === 'string' || typeof ts === 'number' ? ts : null,
    ...(actions.length > 0 && { actions }),
  };
}

function fieldsOf(fields: readonly unknown[], growth: Growth): AttachmentField[] {
  return objectsOf(fields, growth, EMPTY_BYTES.field).map((field) => ({
    title: textOf(field, 'title'),
    value: valueOf(field['value'], growth),
    short: String(field['short']).toLowerCase() === 'true',
  }));
}

function actionsOf(actions: unknown, growth: Growth): AttachmentAction[] {
  return objectsOf(actions, growth, EMPTY_BYTES.action).map((action) => {
    const { disabled, options, integration } = action;
    return {
      id: textOf(action, 'id') || newId(),
      ...presentTexts(action, ['type', 'name', 'tooltip', 'style', 'data_source', 'default_option']),
      ...(typeof disabled === 'boolean' && { disabled }),
      ...(Array.isArray(options) && {
        options: objectsOf(options, growth, EMPTY_BYTES.option).map((option) => ({
          text: textOf(option, 'text'),
          value: textOf(option, 'value'),
        })),
      }),
      ...(isJsonObject(integration) && { integration: integrationOf(foldKeys(integration)) }),
    };
  });
}

function integrationOf(integration: JsonObject): AttachmentAction['integration'] {
  const { context } = integration;
  return { url: textOf(integration, 'url'), ...(isJsonObject(context) && { context }) };
}

/** Field values can be any JSON. Numbers become plain decimals; other non-strings become JSON. */
function valueOf(value: unknown, growth: Growth): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainDecimal(value, growth);
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** Formats a number without an exponent: `1000000`, `0.0000001`. */
function plainDecimal(value: number, growth: Growth): string {
  const text = String(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) {
    return text;
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  growth.add(Math.abs(Number(exponent)));
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  return point > 0
    ? sign + digits.padEnd(point, '0')
    : `${sign}0.${digits.padStart(digits.length - point, '0')}`;
}

/** Returns the non-null objects of a list with lowercase keys. Adds `emptyBytes` to the growth for each. */
function objectsOf(list: unknown, growth: Growth, emptyBytes: number): JsonObject[] {
  const objects: JsonObject[] = [];
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isJsonObject(item)) continue;
    growth.add(emptyBytes);
    objects.push(foldKeys(item));
  }
  return objects;
}

function textOf(object: JsonObject, key: string): string {
  const text = object[key];
  return typeof text === 'string' ? text : '';
}

function presentTexts<K extends string>(object: JsonObject, keys: readonly K[]): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const text = textOf(object, key);
    if (text !== '') texts[key] = text;
  }
  return texts;
}
