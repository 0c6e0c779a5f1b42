import type { JsonObject } from '../../platform/common/json.js';
import { idOf, newId } from '../../platform/common/ids.js';
import { stripActionIntegrations } from '../../messaging/posts/content/attachments.js';
import { attachmentsOf } from '../../messaging/posts/content/props.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import type { User } from '../../messaging/users/user.entity.js';

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
