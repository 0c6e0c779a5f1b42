import type { Response } from 'express';
import { InvalidBodyParam, ValidationFailed } from '../../platform/common/errors/common-errors.js';
import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import { MAX_SEQUENCE_MS } from '../../platform/common/sequence.js';
import { runeLength } from '../../platform/common/utf8.js';
import { MAX_MESSAGE_RUNES, MAX_PROPS_RUNES } from './content/split.js';
import { licensedPriority, priorityOfReply } from './posts.errors.js';
import { addWarning } from '../../platform/common/http/warnings.js';
import type { CreatePostDto } from './dto/write-post.dto.js';

const SYSTEM_PREFIX = 'system_';
const CUSTOM_PREFIX = 'custom_';
const TYPES = new Set(['', 'me', 'reminder', 'slack_attachment']);
const MAX_TYPE_RUNES = 26;
const MAX_FILE_IDS_RUNES = 300;
const MAX_PENDING_ID_RUNES = 128;
const PRIORITIES = ['', 'important', 'urgent'];

/** Whether only the server may use this type. */
export function isSystemType(type: string): boolean {
  return type.startsWith(SYSTEM_PREFIX);
}

/** Throws ValidationFailed if the message is too long. */
export function requireValidMessage(message: string): void {
  if (message.length > MAX_MESSAGE_RUNES && runeLength(message) > MAX_MESSAGE_RUNES) {
    throw invalid('message_length', 'message', `it must have at most ${MAX_MESSAGE_RUNES} characters.`);
  }
}

/** Returns the length of the props as JSON. Throws ValidationFailed if they are too long. */
export function requireValidProps(props: JsonObject): number {
  const json = JSON.stringify(props);
  if (json.length > MAX_PROPS_RUNES && runeLength(json) > MAX_PROPS_RUNES) throw propsTooLong();
  return json.length;
}

export function propsTooLong(): ValidationFailed {
  return invalid('props', 'props', `they must have at most ${MAX_PROPS_RUNES} characters as JSON.`);
}

/** Throws ValidationFailed for an unknown type. */
export function requireValidType(type: string): void {
  const isKnown = TYPES.has(type) || type.startsWith(CUSTOM_PREFIX);
  if (!isKnown || runeLength(type) > MAX_TYPE_RUNES) {
    throw invalid('type', 'type', `it must be empty, me, slack_attachment, or begin with ${CUSTOM_PREFIX}.`);
  }
}

/** Throws ValidationFailed if the list is too long. Otherwise ignores it, since files are not supported. */
export function requireValidFileIds(fileIds: readonly string[]): void {
  if (runeLength(JSON.stringify(fileIds)) > MAX_FILE_IDS_RUNES) {
    throw invalid('file_ids', 'file_ids', `they must have at most ${MAX_FILE_IDS_RUNES} characters as JSON.`);
  }
}

/** Throws InvalidBodyParam if the ID is too long. */
export function requireValidPendingPostId(id: string): void {
  if (runeLength(id) > MAX_PENDING_ID_RUNES) {
    throw new InvalidBodyParam('pending_post_id', `it must have at most ${MAX_PENDING_ID_RUNES} characters`);
  }
}

/** Throws ValidationFailed for a negative time, or one too late for the sequence numbers of posts. */
export function requireValidCreateAt(createAt: number): void {
  if (createAt < 0 || createAt > MAX_SEQUENCE_MS) {
    throw invalid('create_at', 'create_at', 'it must be milliseconds since 1970.');
  }
}

/**
 * Keeps only the priority of a client's metadata (docs/contract/messaging.md#create-a-post). Throws
 * InvalidBodyParam, `priorityOfReply`, or `licensedPriority` for unsupported options.
 */
export function acceptedMetadata(metadata: JsonObject, rootId: string): JsonObject {
  const raw = metadata['priority'];
  if (raw === undefined || raw === null) return {};
  if (!isJsonObject(raw)) throw new InvalidBodyParam('metadata.priority', 'it must be an object');
  const name = raw['priority'] ?? '';
  if (typeof name !== 'string' || !PRIORITIES.includes(name)) {
    throw new InvalidBodyParam('metadata.priority.priority', 'it must be empty, important or urgent');
  }
  const asksMore = ['requested_ack', 'persistent_notifications'].filter((key) => flag(raw, key));
  if (rootId !== '') throw priorityOfReply();
  if (asksMore.length > 0) throw licensedPriority();
  return name === ''
    ? {}
    : { priority: { priority: name, requested_ack: false, persistent_notifications: false } };
}

function flag(priority: JsonObject, key: string): boolean {
  const value = priority[key] ?? false;
  if (typeof value !== 'boolean')
    throw new InvalidBodyParam(`metadata.priority.${key}`, 'it must be true or false');
  return value;
}

function invalid(rule: string, field: string, reason: string): ValidationFailed {
  return new ValidationFailed(`model.post.is_valid.${rule}.app_error`, field, reason);
}

/** Adds a warning to the response if files were dropped (docs/contract/messaging.md#create-a-post). */
export function warnOfDroppedFiles(response: Response, { file_ids }: CreatePostDto): void {
  if (file_ids.length > 0) addWarning(response, 'file_ids was ignored: files are not supported');
}
