import type { Channel } from '../messaging/channels/channel.entity.js';
import { newId } from '../platform/common/ids.js';
import type { JsonObject } from '../platform/common/json.js';
import { visible } from '../platform/common/visible.js';
import { MessageRefused } from '../remote-cluster/messages/topics.js';
import { isObject } from '../remote-cluster/peer/frame.js';
import { isPlainId } from '../remote-cluster/remote-cluster.rules.js';

const MAX_NAME_LENGTH = 64;
const MAX_SOURCE_LENGTH = 24;
const ID_LENGTH = 26;
const MAX_LENGTHS = { type: 1, name: 128, display_name: 128, header: 2_048, purpose: 512 };

/** A channel that a peer shares with this server (docs/contract/shared-channels.md#invite). */
export interface ChannelInvite {
  readonly channelId: string;
  readonly name: string;
  readonly displayName: string;
  readonly header: string;
  readonly purpose: string;
  readonly type: 'O' | 'P';
}

/** Throws MessageRefused naming the field. */
export function parseChannelInvite(payload: unknown): ChannelInvite {
  const channelId = parseChannelId(payload);
  const invite = payload as JsonObject;
  const text = (field: keyof typeof MAX_LENGTHS): string => {
    const value = invite[field] ?? '';
    const max = MAX_LENGTHS[field];
    if (typeof value !== 'string' || value.length > max || value.includes('\0'))
      throw new MessageRefused(`Invalid ${field}: it must be a text of at most ${max} characters.`);
    return value;
  };
  const type = text('type') || 'O';
  if (type !== 'O' && type !== 'P')
    throw new MessageRefused(
      'Invalid type: only public and private channels can be shared with this server.',
    );
  const name = text('name');
  return {
    ...{ channelId, name, type },
    displayName: visible(text('display_name')) || name,
    header: text('header'),
    purpose: text('purpose'),
  };
}

/** Throws MessageRefused. */
export function parseChannelId(payload: unknown): string {
  const id = isObject(payload) ? payload['channel_id'] : undefined;
  if (!isPlainId(id)) throw new MessageRefused('Invalid channel_id: it must be 26 letters and digits.');
  return id;
}

/** The payload of an invite to a channel of this server. */
export function channelInviteOf(channel: Channel, creatorId: string): JsonObject {
  return {
    channel_id: channel.id,
    team_id: channel.teamId,
    read_only: false,
    name: channel.name,
    display_name: channel.displayName,
    header: channel.header,
    purpose: channel.purpose,
    type: channel.type,
    creator_id: creatorId,
    direct_participant_ids: [],
  };
}

/** Names to try for an invited channel: its own, then with the connection's name, then with a random id. */
export function candidateNames(name: string, connection: string): string[] {
  const base = clean(name) || 'shared';
  const source = connection.slice(0, MAX_SOURCE_LENGTH);
  const marked = clean(`${base.slice(0, MAX_NAME_LENGTH - 1 - source.length)}-${source}`);
  const unique = `${base.slice(0, MAX_NAME_LENGTH - 1 - ID_LENGTH)}-${newId()}`;
  return [base, marked, unique].map((text) => text.slice(0, MAX_NAME_LENGTH));
}

function clean(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, '');
}
