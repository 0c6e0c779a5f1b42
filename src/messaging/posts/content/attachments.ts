import { newId } from '../../../platform/common/ids.js';
import { foldKeys, isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { Growth } from './slack-text.js';
import { linkUrl, pictureUrl } from './safe-url.js';

const asIs = (text: string): string => text;

/** The texts of an attachment before and after its fields, and how they are stored. */
const FIRST_TEXTS = {
  fallback: asIs,
  color: asIs,
  pretext: asIs,
  author_name: asIs,
  author_link: linkUrl,
  author_icon: pictureUrl,
  title: asIs,
  title_link: linkUrl,
  text: asIs,
};
const LAST_TEXTS = { image_url: pictureUrl, thumb_url: pictureUrl, footer: asIs, footer_icon: pictureUrl };
const ACTION_TEXTS = ['type', 'name', 'tooltip', 'style', 'data_source', 'default_option'] as const;

type Texts<T> = { readonly [name in keyof T]: string };

/** A message attachment in its stored and wire format (docs/contract/incoming-webhooks.md#attachments). */
export interface Attachment extends Texts<typeof FIRST_TEXTS>, Texts<typeof LAST_TEXTS> {
  readonly id: number;
  readonly fields: readonly AttachmentField[] | null;
  readonly ts: string | number | null;
  readonly actions?: readonly AttachmentAction[];
}

interface AttachmentField {
  readonly title: string;
  readonly value: string | null;
  readonly short: boolean;
}

type ActionTexts = Partial<Record<(typeof ACTION_TEXTS)[number], string>>;

interface AttachmentAction extends Readonly<ActionTexts> {
  readonly id: string;
  readonly disabled?: boolean;
  readonly options?: ReadonlyArray<{ readonly text: string; readonly value: string }>;
  readonly integration?: { readonly url: string; readonly context?: JsonObject };
}

/** Attachments as sent: their shape is validated, but nothing is converted yet. */
export type SentAttachments = readonly unknown[];

/** Thrown when an attachment has an invalid shape. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError';

  /** `path` points to the invalid value, e.g. `attachments.0.fields.1.short`. */
  constructor(
    readonly path: string,
    readonly expectation: string,
  ) {
    super(`${path} must be ${expectation}`);
  }
}

/**
 * Validates the shape of a request's `attachments` (docs/contract/incoming-webhooks.md#attachments). Returns
 * undefined if none or only nulls. Throws AttachmentError.
 */
export function checkedAttachments(raw: unknown): SentAttachments | undefined {
  if (!isPresent(raw)) return undefined;
  checkPart('attachments', raw, ATTACHMENTS);
  return Array.isArray(raw) && raw.some((item) => item !== null) ? raw : undefined;
}

/** Throws AttachmentError with a path relative to the value. */
type Check = (value: unknown) => void;

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Builds the path only when a check fails. */
function checkPart(name: string | number, value: unknown, check: Check): void {
  try {
    check(value);
  } catch (error) {
    if (!(error instanceof AttachmentError)) throw error;
    throw new AttachmentError(error.path === '' ? `${name}` : `${name}.${error.path}`, error.expectation);
  }
}

const when =
  (isValid: (value: unknown) => boolean, expectation: string): Check =>
  (value) => {
    if (!isValid(value)) throw new AttachmentError('', expectation);
  };

const optional =
  (check: Check): Check =>
  (value) => {
    if (isPresent(value)) check(value);
  };

const isArray = when(Array.isArray, 'an array');
const isObject = when(isJsonObject, 'an object');

/** A list whose items are null or pass the check. */
const listOf = (check: Check): Check =>
  optional((value) => {
    isArray(value);
    (value as unknown[]).forEach((item, index) => {
      if (item !== null) checkPart(index, item, check);
    });
  });

/** An object with these fields. Field names are case-insensitive. */
function objectOf(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) => {
    isObject(value);
    const folded = foldKeys(value as Record<string, unknown>);
    for (const [name, check] of checks) checkPart(name, folded[name], check);
  };
}

const text = optional(when((value) => typeof value === 'string', 'a string'));
/** May be absent, but not null. */
const short = when(
  (value) =>
    value === undefined ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && /^(?:true|false)$/i.test(value)),
  'true or false',
);
const fieldValue = when(
  (value) => typeof value !== 'number' || Number.isFinite(value),
  'a number within range',
);

const textsOf = (names: readonly string[]): Record<string, Check> =>
  Object.fromEntries(names.map((name) => [name, text]));

const ACTION = objectOf({
  ...textsOf(['id', ...ACTION_TEXTS]),
  disabled: optional(when((value) => typeof value === 'boolean', 'true or false')),
  options: listOf(objectOf({ text, value: text })),
  integration: optional(objectOf({ url: text, context: optional(isObject) })),
});
const ATTACHMENTS = listOf(
  objectOf({
    id: optional(when(Number.isSafeInteger, 'an integer')),
    ...textsOf(Object.keys(FIRST_TEXTS)),
    fields: listOf(objectOf({ title: text, value: fieldValue, short })),
    ...textsOf(Object.keys(LAST_TEXTS)),
    ts: optional(
      when((value) => typeof value === 'string' || Number.isFinite(value), 'a string or a number'),
    ),
    actions: listOf(ACTION),
  }),
);

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
    ...storedTexts(item, FIRST_TEXTS),
    fields: Array.isArray(fields) ? fieldsOf(fields, growth) : null,
    ...storedTexts(item, LAST_TEXTS),
    ts: typeof ts === 'string' || typeof ts === 'number' ? ts : null,
    ...(actions.length > 0 && { actions }),
  };
}

function storedTexts<T extends Record<string, (text: string) => string>>(
  item: JsonObject,
  texts: T,
): Texts<T> {
  const stored: Record<string, string> = {};
  for (const [name, store] of Object.entries(texts)) stored[name] = store(textOf(item, name));
  return stored as Texts<T>;
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
      ...presentTexts(action),
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

function presentTexts(action: JsonObject): ActionTexts {
  const texts: ActionTexts = {};
  for (const name of ACTION_TEXTS) if (textOf(action, name) !== '') texts[name] = textOf(action, name);
  return texts;
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
  if (!match) return text;
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
