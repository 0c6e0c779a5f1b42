import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import { documentOf } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-forms.js';

/** The call is not one that the format describes. `detail` names what is missing or wrong. */
export function unexpected(detail: string): PayloadError {
  return new PayloadError(
    'model.incoming_hook.parse_data.app_error',
    detail,
    'The format of the webhook must be that of the program that calls it.',
  );
}

/** Returns the value at a path of keys, such as `pull_request.user.login`; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split('.'))
    found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

/** Returns the text, number or boolean at the first of the paths that has one, as text; otherwise empty. */
export function textAt(value: unknown, ...paths: readonly string[]): string {
  for (const path of paths) {
    const found = valueAt(value, path);
    if (typeof found === 'string' ? found !== '' : typeof found === 'number' || typeof found === 'boolean')
      return String(found);
  }
  return '';
}

/** Returns the objects in the list at a path, at most `max`; empty if it is not a list. */
export function objectsAt(value: unknown, path: string, max: number): JsonObject[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.slice(0, max).filter(isJsonObject) : [];
}

/** The length of the list at a path. */
export function countAt(value: unknown, path: string): number {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.length : 0;
}

/** Returns the object at a path. Throws PayloadError. */
export function requireObject(value: unknown, path: string): JsonObject {
  const found = valueAt(value, path);
  if (!isJsonObject(found)) throw unexpected(`${path} must be an object`);
  return found;
}

/** Returns the text at a path, or at the first of the others that has one. Throws PayloadError. */
export function requireText(value: unknown, path: string, ...others: readonly string[]): string {
  const found = textAt(value, path, ...others);
  if (found === '') throw unexpected(`${path} is missing`);
  return found;
}

/** Reads JSON; anything else is text, even if it begins like JSON, as `12 disks failed` does. */
export function jsonOrText(text: string): unknown {
  try {
    const document = documentOf(text);
    return isJsonObject(document) || isWholeJson(text) ? document : text;
  } catch (error) {
    if (error instanceof PayloadError) return text;
    throw error;
  }
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text.trim());
    return true;
  } catch {
    return false;
  }
}
