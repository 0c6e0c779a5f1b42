import { decodeJson, type JsonObject } from '../../platform/common/json.js';
import { newId } from '../../platform/common/ids.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { runeLength } from '../../platform/common/utf8.js';
import { isPlainId } from '../remote-cluster.rules.js';
import { frameIdInvalid, frameNotJson, frameTopicInvalid } from '../remote-clusters.errors.js';

export interface Frame {
  readonly remoteId: string;
  readonly id: string;
  readonly topic: string;
  readonly createAt: number;
  readonly payload: unknown;
}

const MAX_TOPIC_LENGTH = 128;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses and checks a frame in the order of the contract (docs/contract/secure-connections.md#frames). Throws
 * 400s.
 */
export function parseFrame(body: Buffer): Frame {
  return frameOf(parseObject(body));
}

/** Checks a decoded frame. Also reads frames that this server built and stored. */
export function frameOf(frame: JsonObject): Frame {
  const { remote_id: remoteId } = frame;
  if (!isPlainId(remoteId)) throw frameIdInvalid('remote_id');
  const message = isObject(frame['msg']) ? frame['msg'] : {};
  const { id, topic, create_at: createAt, payload } = message;
  if (!isPlainId(id)) throw frameIdInvalid('msg.id');
  if (typeof topic !== 'string' || topic === '' || runeLength(topic) > MAX_TOPIC_LENGTH)
    throw frameTopicInvalid();
  if (payload === undefined) throw new InvalidBodyParam('PayLoad');
  return { remoteId, id, topic, createAt: typeof createAt === 'number' ? createAt : 0, payload };
}

/** Builds a frame in its wire format. */
export function newFrame(remoteId: string, topic: string, createAt: number, payload: unknown): JsonObject {
  return { remote_id: remoteId, msg: { id: newId(), topic, create_at: createAt, payload } };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(body: Buffer): JsonObject {
  let decoded: unknown;
  try {
    decoded = decodeJson(utf8.decode(body));
  } catch {
    throw frameNotJson();
  }
  if (!isObject(decoded)) throw frameNotJson();
  return decoded;
}
