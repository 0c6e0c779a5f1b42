import type { JsonObject } from '../../platform/common/json.js';
import { runeLength } from '../../platform/common/utf8.js';
import type { RemotePost } from './sync.topic.js';
import type { RemoteAccount } from './synced-accounts.service.js';
import { MessageRefused } from '../../remote-cluster/messages/topics.js';
import { isObject } from '../../remote-cluster/peer/frame.js';
import { isPlainId } from '../../remote-cluster/remote-cluster.rules.js';
import { idOf, newId } from '../../platform/common/ids.js';
import { stripActionIntegrations } from '../../messaging/posts/content/attachments.js';
import { attachmentsOf } from '../../messaging/posts/content/props.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import type { User } from '../../messaging/users/user.entity.js';

const MAX_USERS = 200;
const MAX_POSTS = 200;
const MAX_TEXT_LENGTH = 128;

export interface SyncUser {
  readonly account: RemoteAccount;
  readonly updateAt: number;
}
export type SyncPost = RemotePost & { readonly updateAt: number };

/** Users and posts of a shared channel (docs/contract/shared-channels.md#sync). Other fields are ignored. */
export interface SyncMessage {
  readonly channelId: string;
  readonly users: readonly SyncUser[];
  readonly posts: readonly SyncPost[];
}

/** Throws MessageRefused naming the field. */
export function parseSync(payload: unknown): SyncMessage {
  if (!isObject(payload)) throw new MessageRefused('Invalid payload: it must be an object.');
  const { channel_id: channelId, users, posts } = payload;
  if (!isPlainId(channelId))
    throw new MessageRefused('Invalid channel_id: it must be 26 letters and digits.');
  const userList = Object.values(isObject(users) ? users : {});
  const postList: unknown[] = Array.isArray(posts) ? posts : [];
  if (userList.length > MAX_USERS) throw new MessageRefused(`Too many users: ${MAX_USERS} at most.`);
  if (postList.length > MAX_POSTS) throw new MessageRefused(`Too many posts: ${MAX_POSTS} at most.`);
  return {
    channelId,
    users: userList.map(parseUser),
    posts: postList.map((post) => parsePost(post, channelId)),
  };
}

function parseUser(user: unknown): SyncUser {
  if (!isObject(user)) throw new MessageRefused('Invalid users: each must be an object.');
  if (!isPlainId(user['id'])) throw new MessageRefused('Invalid users: id must be 26 letters and digits.');
  const username = text(user, 'username');
  // The name is displayed and can be mentioned, so it must be valid here too.
  if (!/^[a-z0-9._:-]+$/i.test(username)) throw new MessageRefused('Invalid users: username is malformed.');
  return {
    account: {
      id: user['id'],
      username,
      email: text(user, 'email'),
      nickname: text(user, 'nickname'),
      firstName: text(user, 'first_name'),
      lastName: text(user, 'last_name'),
      position: text(user, 'position'),
      locale: text(user, 'locale'),
      deleteAt: time(user, 'delete_at'),
    },
    updateAt: time(user, 'update_at'),
  };
}

function parsePost(post: unknown, channelId: string): SyncPost {
  if (!isObject(post)) throw new MessageRefused('Invalid posts: each must be an object.');
  const { id, user_id: userId, root_id: rootId = '', message = '', type = '', props } = post;
  if (!isPlainId(id)) throw new MessageRefused('Invalid posts: id must be 26 letters and digits.');
  if (!isPlainId(userId)) throw new MessageRefused('Invalid posts: user_id must be 26 letters and digits.');
  if (rootId !== '' && !isPlainId(rootId)) throw new MessageRefused('Invalid posts: root_id is malformed.');
  if (post['channel_id'] !== channelId)
    throw new MessageRefused('Invalid posts: channel_id must be that of the message.');
  if (typeof message !== 'string' || typeof type !== 'string')
    throw new MessageRefused('Invalid posts: message and type must be strings.');
  return {
    ...{ id, userId, rootId, message, type },
    props: isObject(props) ? props : {},
    createAt: time(post, 'create_at'),
    editAt: time(post, 'edit_at'),
    deleteAt: time(post, 'delete_at'),
    updateAt: time(post, 'update_at'),
  };
}

function text(object: JsonObject, field: string): string {
  const value = object[field] ?? '';
  if (typeof value !== 'string' || runeLength(value) > MAX_TEXT_LENGTH || value.includes('\0'))
    throw new MessageRefused(
      `Invalid users: ${field} must be a string of at most ${MAX_TEXT_LENGTH} characters.`,
    );
  return value;
}

function time(object: JsonObject, field: string): number {
  const value = object[field] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new MessageRefused(`Invalid ${field}: it must be milliseconds since 1970.`);
  return value;
}

export const SYNC_TOPIC = 'sharedchannel_sync';

/** Peers accept frames of 300,000 bytes. The rest of a frame is small. */
const MAX_POST_BYTES = 280_000;

/** The payload of a sync message with a post and its author in their current state. A deleted post has no content. */
export function syncPayloadOf(post: Post, author: User): JsonObject {
  return {
    id: newId(),
    channel_id: post.channelId,
    users: { [author.id]: userOf(author) },
    posts: [postOf(post)],
  };
}

function userOf(user: User): JsonObject {
  return {
    id: user.id,
    create_at: user.createAt,
    update_at: user.updateAt,
    delete_at: user.deleteAt,
    username: user.username,
    auth_data: '',
    auth_service: '',
    email: user.email,
    nickname: user.nickname,
    first_name: user.firstName,
    last_name: user.lastName,
    position: user.position,
    roles: 'system_user',
    locale: user.locale,
    timezone: user.timezone,
    ...(user.remoteId === '' ? {} : { remote_id: user.remoteId }),
  };
}

/** Props as clients see them: the integrations of actions are internal to this server. */
function publicPropsOf(props: JsonObject): JsonObject {
  const attachments = attachmentsOf(props);
  return attachments.length === 0 ? props : { ...props, attachments: stripActionIntegrations(attachments) };
}

function postOf(post: Post): JsonObject {
  const isDeleted = post.deleteAt > 0;
  const wire = {
    id: post.id,
    create_at: post.createAt,
    update_at: post.updateAt,
    edit_at: post.editAt,
    delete_at: post.deleteAt,
    is_pinned: post.isPinned,
    user_id: post.userId,
    channel_id: post.channelId,
    root_id: post.rootId,
    original_id: '',
    message: isDeleted ? '' : post.message,
    type: post.type,
    props: isDeleted ? {} : publicPropsOf(post.props),
    hashtags: isDeleted ? '' : post.hashtags,
    file_ids: [],
    pending_post_id: '',
  };
  // Props can exceed the limit of a peer; the rest of a post never does.
  return Buffer.byteLength(JSON.stringify(wire)) > MAX_POST_BYTES ? { ...wire, props: {} } : wire;
}

/** The channel of a sync message of this server, or empty if it has none. */
export function channelIdOf(sent: JsonObject): string {
  return typeof sent['channel_id'] === 'string' ? sent['channel_id'] : '';
}

/** A replacement for a remote id that is already taken here. The same for all connections to that server. */
export function aliasOf({ siteUrl }: { readonly siteUrl: string }, id: string): string {
  return idOf(`${siteUrl} ${id}`);
}
