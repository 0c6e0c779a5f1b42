import { newId } from '../../../platform/common/ids.js';
import { foldKeys, isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { Growth } from './growth.js';

/** A message attachment as it is stored and sent (docs/contract/incoming-webhooks.md#attachments), in wire names. */
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

/** The size of each as normalised JSON when the sender wrote `{}`. */
const EMPTY_BYTES = { attachment: 217, field: 40, action: 35, option: 22 } as const;

/** An attachment has an invalid shape. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError';

  /** `path` leads to the invalid value, as in `attachments.0.fields.1.short`. */
  constructor(
    readonly path: string,
    expectation: string,
  ) {
    super(`${path} must be ${expectation}`);
  }
}

/**
 * Normalises the `attachments` of a request (docs/contract/incoming-webhooks.md#attachments): drops nulls, fills in
 * missing texts, and turns field values into texts. Undefined if no attachment is left.
 * @throws AttachmentError, PropsTooLarge
 */
export function normaliseAttachments(raw: unknown): Attachment[] | undefined {
  if (raw === undefined || raw === null) {
    return undefined;
  }
  const growth = new Growth();
  const attachments = objectsOf(raw, 'attachments', growth, EMPTY_BYTES.attachment).map(([item, path]) =>
    attachmentOf(item, path, growth),
  );
  return attachments.length === 0 ? undefined : attachments;
}

/** The attachments as clients may see them: without the URLs and contexts of their actions. */
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

function attachmentOf(item: JsonObject, path: string, growth: Growth): Attachment {
  const actions = actionsOf(item['actions'], `${path}.actions`, growth);
  return {
    id: integerOf(item['id'], `${path}.id`),
    fallback: textOf(item, 'fallback', path),
    color: textOf(item, 'color', path),
    pretext: textOf(item, 'pretext', path),
    author_name: textOf(item, 'author_name', path),
    author_link: textOf(item, 'author_link', path),
    author_icon: textOf(item, 'author_icon', path),
    title: textOf(item, 'title', path),
    title_link: textOf(item, 'title_link', path),
    text: textOf(item, 'text', path),
    fields: fieldsOf(item['fields'], `${path}.fields`, growth),
    image_url: textOf(item, 'image_url', path),
    thumb_url: textOf(item, 'thumb_url', path),
    footer: textOf(item, 'footer', path),
    footer_icon: textOf(item, 'footer_icon', path),
    ts: timestampOf(item['ts'], `${path}.ts`),
    ...(actions.length > 0 && { actions }),
  };
}

function fieldsOf(raw: unknown, path: string, growth: Growth): AttachmentField[] | null {
  if (raw === undefined || raw === null) {
    return null;
  }
  return objectsOf(raw, path, growth, EMPTY_BYTES.field).map(([field, fieldPath]) => ({
    title: textOf(field, 'title', fieldPath),
    value: valueOf(field['value'], `${fieldPath}.value`, growth),
    short: shortOf(field['short'], `${fieldPath}.short`),
  }));
}

function actionsOf(raw: unknown, path: string, growth: Growth): AttachmentAction[] {
  return objectsOf(raw ?? [], path, growth, EMPTY_BYTES.action).map(([action, actionPath]) => ({
    id: textOf(action, 'id', actionPath) || newId(),
    ...presentTexts(
      action,
      ['type', 'name', 'tooltip', 'style', 'data_source', 'default_option'],
      actionPath,
    ),
    ...(isPresent(action['disabled']) && {
      disabled: booleanOf(action['disabled'], `${actionPath}.disabled`),
    }),
    ...(isPresent(action['options']) && {
      options: objectsOf(action['options'], `${actionPath}.options`, growth, EMPTY_BYTES.option).map(
        ([option, optionPath]) => ({
          text: textOf(option, 'text', optionPath),
          value: textOf(option, 'value', optionPath),
        }),
      ),
    }),
    ...(isPresent(action['integration']) && {
      integration: integrationOf(action['integration'], `${actionPath}.integration`),
    }),
  }));
}

function integrationOf(raw: unknown, path: string): AttachmentAction['integration'] {
  const integration = objectOf(raw, path);
  return {
    url: textOf(integration, 'url', path),
    ...(isPresent(integration['context']) && {
      context: plainObjectOf(integration['context'], `${path}.context`),
    }),
  };
}

/** A field value can be any JSON: numbers become plain decimals, other values than texts become JSON. */
function valueOf(raw: unknown, path: string, growth: Growth): string | null {
  switch (typeof raw) {
    case 'string':
      return raw;
    case 'undefined':
      return null;
    case 'number':
      if (!Number.isFinite(raw)) {
        throw new AttachmentError(path, 'a number within range');
      }
      return plainDecimal(raw, growth);
    default:
      return raw === null ? null : JSON.stringify(raw);
  }
}

/** A number without an exponent: `1000000`, `0.0000001`. */
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

function shortOf(raw: unknown, path: string): boolean {
  const short = typeof raw === 'string' ? raw.toLowerCase() : raw;
  if (short === true || short === 'true') {
    return true;
  }
  if (short === false || short === 'false' || short === undefined) {
    return false;
  }
  throw new AttachmentError(path, 'true or false');
}

function timestampOf(raw: unknown, path: string): string | number | null {
  if (raw === undefined || raw === null) {
    return null;
  }
  if (typeof raw === 'string' || (typeof raw === 'number' && Number.isFinite(raw))) {
    return raw;
  }
  throw new AttachmentError(path, 'a string or a number');
}

function integerOf(raw: unknown, path: string): number {
  if (raw === undefined || raw === null) {
    return 0;
  }
  if (typeof raw !== 'number' || !Number.isSafeInteger(raw)) {
    throw new AttachmentError(path, 'an integer');
  }
  return raw;
}

function textOf(object: JsonObject, key: string, path: string): string {
  const raw = object[key];
  if (typeof raw === 'string') {
    return raw;
  }
  if (isPresent(raw)) {
    throw new AttachmentError(`${path}.${key}`, 'a string');
  }
  return '';
}

function presentTexts<K extends string>(
  object: JsonObject,
  keys: readonly K[],
  path: string,
): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const text = textOf(object, key, path);
    if (text !== '') {
      texts[key] = text;
    }
  }
  return texts;
}

function booleanOf(raw: unknown, path: string): boolean {
  if (typeof raw !== 'boolean') {
    throw new AttachmentError(path, 'true or false');
  }
  return raw;
}

/** The non-null objects of an array, each with its path. Adds `emptyBytes` to the growth for each. */
function objectsOf(
  raw: unknown,
  path: string,
  growth: Growth,
  emptyBytes: number,
): Array<[object: JsonObject, path: string]> {
  if (!Array.isArray(raw)) {
    throw new AttachmentError(path, 'an array');
  }
  const objects: Array<[JsonObject, string]> = [];
  raw.forEach((item: unknown, index) => {
    if (item !== null) {
      growth.add(emptyBytes);
      objects.push([objectOf(item, `${path}.${index}`), `${path}.${index}`]);
    }
  });
  return objects;
}

/** An object, with its keys in lower case. */
function objectOf(raw: unknown, path: string): JsonObject {
  return foldKeys(plainObjectOf(raw, path));
}

function plainObjectOf(raw: unknown, path: string): JsonObject {
  if (!isJsonObject(raw)) {
    throw new AttachmentError(path, 'an object');
  }
  return raw;
}

function isPresent(raw: unknown): boolean {
  return raw !== undefined && raw !== null;
}
