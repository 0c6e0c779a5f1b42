import { Injectable } from '@nestjs/common';
import type { Channel } from '../channels/channel.entity.js';
import {
  InvalidBodyParam,
  invalidParam,
  permissionDenied,
} from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { ChannelsService } from '../channels/channels.service.js';
import { type Actor, requireUser } from '../permissions/actor.js';
import { UsersService } from '../users/users.service.js';
import { PostPermission, PostsPolicy } from './posts.policy.js';
import { acceptedProps, propsOfAuthor, remoteProps } from './content/props.js';
import type { CreatePostDto, CreatePostOptions } from './dto/write-post.dto.js';
import { type Companions, IdempotencyService } from './idempotency.service.js';
import { Post } from './post.entity.js';
import { PostContentService } from './post-content.service.js';
import { newestFirst, stub } from './post-list.js';
import { channelIsArchived, InvalidRoot, postIdGiven, postNotFound } from './posts.errors.js';
import { PostsRepository } from './posts.repository.js';
import {
  acceptedMetadata,
  isSystemType,
  requireValidCreateAt,
  requireValidFileIds,
  requireValidMessage,
  requireValidPendingPostId,
  requireValidProps,
  requireValidType,
} from './posts.rules.js';
import { type PostDraft, sizeOf } from './writer/write-request.js';
import { PostWriter } from './writer/post-writer.js';
import { Clock } from '../../platform/common/clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';

/** A post from another server, received over the connection `remoteId`. `userId` is a local account. */
export type NewRemotePost = Pick<
  Post,
  'id' | 'remoteId' | 'userId' | 'rootId' | 'message' | 'type' | 'props' | 'createAt' | 'editAt'
>;

/** Creates users' posts and reads single posts. */
@Injectable()
export class PostsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly writer: PostWriter,
    private readonly idempotency: IdempotencyService,
    private readonly content: PostContentService,
    private readonly channels: ChannelsService,
    private readonly policy: PostsPolicy,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a post with checks in the contract's order (docs/contract/messaging.md#create-a-post). Calls by a
   * user with the same `pending_post_id` create one post; a concurrent call waits for it.
   */
  async create(actor: Actor, input: CreatePostDto, options: CreatePostOptions): Promise<Post> {
    const userId = requireUser(actor);
    const channel = await this.policy.requireCreate(actor, input.channel_id);
    if (input.file_ids.length > 0) await this.policy.requireUpload(actor, channel.id);
    const metadata = acceptedMetadata(input.metadata, input.root_id);
    if (await this.channels.isArchived(channel))
      throw channelIsArchived('api.post.create_post.can_not_post_to_deleted.error');
    if (isSystemType(input.type)) throw invalidParam('type');
    const pendingPostId = input.pending_post_id;
    requireValidPendingPostId(pendingPostId);
    const canChooseTime = input.create_at !== 0 && (await this.policy.canChooseTime(actor));

    const write = async (companions: Companions): Promise<readonly Post[]> => {
      const { draft, sizeBytes } = await this.toDraft(userId, channel, input, canChooseTime);
      return this.writer.write({
        drafts: [{ ...draft, metadata, pendingPostId }],
        origin: 'user',
        setOnline: options.setOnline,
        sizeBytes,
        companions,
      });
    };
    return pendingPostId === ''
      ? only(await write(() => []))
      : this.createOnce(actor, pendingPostId, channel.id, write);
  }

  /**
   * Stores a post from another server, which keeps its ID and triggers no webhooks, unless the ID is taken or its thread
   * is deleted. Throws ValidationFailed.
   */
  async createRemote(channel: Channel, post: NewRemotePost, connection: string): Promise<void> {
    const { id, remoteId, userId, message, type, createAt, editAt } = post;
    requireValidMessage(message);
    requireValidType(type);
    const raw = { channel, authorId: userId, message, type, props: remoteProps(post.props, connection) };
    const enriched = await this.content.enrich(raw);
    const sizeBytes = sizeOf(message, requireValidProps(enriched.props));
    const rootId = await this.rootOf(channel.id, post.rootId);
    if (rootId === null) return;
    const now = this.clock.now();
    const draft = {
      ...{ userId, channelId: channel.id, message, type, rootId, ...enriched },
      createAt: Math.min(createAt || now, now),
      origin: { id, remoteId, editAt: Math.min(editAt, now) },
    };
    try {
      await this.writer.write({ drafts: [draft], origin: 'remote', sizeBytes });
    } catch (error) {
      if (!(error instanceof InvalidRoot) && !isDuplicateKey(error)) throw error;
    }
  }

  /** Throws `postNotFound`. Only holders of `manage_system` may include deleted posts. */
  async get(actor: Actor, id: string, includeDeleted: boolean): Promise<Post> {
    if (includeDeleted) await this.policy.requireReadDeleted(actor);
    const post = includeDeleted ? await this.posts.find(id) : await this.posts.findLive(id);
    if (!post) throw postNotFound();
    await this.policy.requireRead(actor, post.channelId);
    return this.posts.withThreadSize(post);
  }

  /** For other modules: includes deleted posts and does not check permissions. */
  find(id: string): Promise<Post | null> {
    return this.posts.find(id);
  }

  /** For other modules: excludes deleted posts and does not check permissions. */
  findLive(id: string): Promise<Post | null> {
    return this.posts.findLive(id);
  }

  /**
   * For other modules: returns the last posts of a channel that fit into a list, newest first. Excludes
   * deleted posts and does not check permissions.
   */
  async listNewest(channelId: string, limit: number): Promise<readonly Post[]> {
    return (await this.posts.page({ channelId }, 0, limit)).posts;
  }

  /** For other modules: ids of posts that have changed since a time, also deleted ones, in the order of the channel. */
  listChangedIds(channelId: string, since: number, limit: number): Promise<string[]> {
    return this.posts.changedIds(channelId, since, limit);
  }

  /** For other modules: sorted by `seq`, includes deleted posts, and does not check permissions. */
  async listAny(ids: readonly string[]): Promise<Post[]> {
    const posts: Post[] = [];
    for (let left = ids; left.length > 0;) {
      const portion = await this.posts.listAny(left);
      posts.push(...portion.posts);
      left = portion.rest.map(({ id }) => id);
    }
    posts.sort((a, b) => a.seq - b.seq);
    return this.posts.withThreadSizes(posts);
  }

  /**
   * Returns the existing posts that the caller may read, newest first. Throws `postNotFound` if none exist,
   * and InvalidBodyParam if they are too large for one response.
   */
  async listByIds(actor: Actor, ids: readonly string[]): Promise<Post[]> {
    const found = await this.posts.sizedLive([...new Set(ids.filter(isId))]);
    if (found.length === 0) throw postNotFound();
    const readable = await this.policy.readable(actor, new Set(found.map(({ post }) => post.channelId)));
    const shown = found.filter(({ post }) => readable.has(post.channelId));
    const { posts, rest } = await this.posts.complete(shown);
    if (rest.length > 0)
      throw new InvalidBodyParam('post_ids', 'the posts are too large for one response, request fewer');
    return this.posts.withThreadSizes(posts.toSorted(newestFirst));
  }

  /**
   * Returns the earlier versions of a post that fit, latest first. Throws `permissionDenied` for a missing
   * post too, and `postNotFound` if there are no versions.
   */
  async listVersions(actor: Actor, id: string): Promise<readonly Post[]> {
    const post = await this.posts.findLive(id);
    if (!post) throw permissionDenied(PostPermission.EditPost);
    await this.policy.requireHistory(actor, post);
    const { posts: versions } = await this.posts.versions(post);
    if (versions.length === 0) throw postNotFound();
    return versions;
  }

  private async createOnce(
    actor: Actor,
    pendingPostId: string,
    channelId: string,
    write: (companions: Companions) => Promise<readonly Post[]>,
  ): Promise<Post> {
    let written: readonly Post[] = [];
    const { postIds } = await this.idempotency.once(
      `post:${actor.userId}`,
      pendingPostId,
      async (companions) => {
        written = await write(companions);
        return written.map(({ id }) => id);
      },
    );
    if (written.length > 0) return only(written);
    const post = await this.posts.find(postIds[0] ?? '');
    if (!post) throw postNotFound();
    // The first call may have posted to a channel that the author can no longer read.
    if (post.channelId !== channelId) await this.policy.requireRead(actor, post.channelId);
    return this.posts.withThreadSize(stub(post));
  }

  /**
   * Returns the `rootId` to store. Empty if the thread is unknown, e.g. because it began before the channel
   * was shared; null if it was deleted here and the reply must not be stored.
   */
  private async rootOf(channelId: string, rootId: string): Promise<string | null> {
    if (rootId === '') return '';
    const root = await this.posts.find(rootId);
    if (root?.channelId !== channelId || root.rootId !== '') return '';
    return root.deleteAt > 0 ? null : rootId;
  }

  /** Makes the remaining checks, from `root_id` on, and processes the content. */
  private async toDraft(
    userId: string,
    channel: Channel,
    input: CreatePostDto,
    canChooseTime: boolean,
  ): Promise<{ draft: PostDraft; sizeBytes: number }> {
    const { message, type, root_id: rootId } = input;
    if (rootId !== '') requireRoot(await this.posts.findLive(rootId), channel.id);
    if (input.id !== '') throw postIdGiven();
    requireValidMessage(message);
    requireValidType(type);
    requireValidFileIds(input.file_ids);
    if (canChooseTime) requireValidCreateAt(input.create_at);
    const props = { ...acceptedProps(input.props), ...propsOfAuthor(await this.users.find(userId)) };
    const enriched = await this.content.enrich({ channel, authorId: userId, message, props, type });
    const createAt = canChooseTime ? input.create_at : undefined;
    return {
      draft: { userId, channelId: channel.id, message, type, rootId, createAt, ...enriched },
      sizeBytes: sizeOf(message, requireValidProps(enriched.props)),
    };
  }
}

function requireRoot(root: Post | null, channelId: string): void {
  if (root && root.channelId !== channelId)
    throw new InvalidRoot('channel_root_id', 'it is a post in another channel.');
  if (root?.rootId !== '') throw new InvalidRoot();
}

function only(posts: readonly Post[]): Post {
  const [post] = posts;
  if (!post) throw postNotFound();
  return post;
}
