import { foldKeys, isJsonObject } from '../../../platform/common/json.js';

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
const flag = optional(when((value) => typeof value === 'boolean', 'true or false'));
const integer = optional(when(Number.isSafeInteger, 'an integer'));
const time = optional(
  when((value) => typeof value === 'string' || Number.isFinite(value), 'a string or a number'),
);
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

const OPTION = objectOf({ text, value: text });
const INTEGRATION = objectOf({ url: text, context: optional(isObject) });
const FIELD = objectOf({ title: text, value: fieldValue, short });
const ACTION = objectOf({
  id: text,
  type: text,
  name: text,
  tooltip: text,
  style: text,
  data_source: text,
  default_option: text,
  disabled: flag,
  options: listOf(OPTION),
  integration: optional(INTEGRATION),
});
const ATTACHMENTS = listOf(
  objectOf({
    id: integer,
    fallback: text,
    color: text,
    pretext: text,
    author_name: text,
    author_link: text,
    author_icon: text,
    title: text,
    title_link: text,
    text,
    fields: listOf(FIELD),
    image_url: text,
    thumb_url: text,
    footer: text,
    footer_icon: text,
    ts: time,
    actions: listOf(ACTION),
  }),
);
