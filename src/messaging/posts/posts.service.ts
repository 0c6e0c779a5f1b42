import { Injectable } from '@nestjs/common';
import type { Channel } from '../channels/channel.entity.js';
import { InvalidBodyParam, PermissionDenied } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { type Actor, requireUser } from '../permissions/actor.js';
import { PostPermission } from './posts.permissions.js';
import { acceptedProps } from './content/props.js';
import type { CreatePostOptions } from './dto/create-post.query.js';
import type { CreatePostDto } from './dto/write-post.dto.js';
import { type Companions, IdempotencyService } from './idempotency.service.js';
import { Post } from './post.entity.js';
import { PostContentService } from './post-content.service.js';
import { stub } from './post-list.js';
import { ChannelIsArchived, InvalidRoot, PostIdGiven, PostNotFound } from './posts.errors.js';
import { PostsPolicy } from './posts.policy.js';
import { PostsRepository } from './posts.repository.js';
import {
  acceptedMetadata,
  requireValidCreateAt,
  requireValidFileIds,
  requireValidMessage,
  requireValidPendingPostId,
  requireValidProps,
  requireValidType,
  refuseSystemType,
} from './posts.rules.js';
import { ThreadSizesService } from './thread-sizes.service.js';
import { sizeOf } from './writer/draft-size.js';
import { PostWriter } from './writer/post-writer.js';
import type { PostDraft } from './writer/write-request.js';

const MAX_VERSIONS = 200;

/** A draft, and about how many bytes it takes. */
interface SizedDraft {
  readonly draft: PostDraft;
  readonly sizeBytes: number;
}

/** Posts of people: making them and reading them one by one. */
@Injectable()
export class PostsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly writer: PostWriter,
    private readonly idempotency: IdempotencyService,
    private readonly content: PostContentService,
    private readonly policy: PostsPolicy,
    private readonly threadSizes: ThreadSizesService,
  ) {}

  /**
   * Makes a post by the caller, in the contract's order of checks (docs/contract/messaging.md#create-a-post). The same
   * `pending_post_id` from the same user gives the same post; one that is being made is waited for.
   */
  async create(actor: Actor, input: CreatePostDto, options: CreatePostOptions): Promise<Post> {
    const userId = requireUser(actor);
    const channel = await this.policy.requireCreate(actor, input.channel_id);
    if (input.file_ids.length > 0) await this.policy.requireUpload(actor, channel.id);
    const metadata = acceptedMetadata(input.metadata, input.root_id);
    if (channel.deleteAt > 0)
      throw new ChannelIsArchived('api.post.create_post.can_not_post_to_deleted.error');
    refuseSystemType(input.type);
    const pendingPostId = input.pending_post_id;
    requireValidPendingPostId(pendingPostId);
    const mayChooseTime = input.create_at !== 0 && (await this.policy.mayChooseTime(actor));

    const write = async (companions: Companions): Promise<readonly Post[]> => {
      const { draft, sizeBytes } = await this.toDraft(userId, channel, input, mayChooseTime);
      return this.writer.write({
        drafts: [{ ...draft, metadata, pendingPostId }],
        origin: 'user',
        setOnline: options.setOnline,
        sizeBytes,
        companions,
      });
    };
    return pendingPostId === '' ? only(await write(() => [])) : this.createOnce(userId, pendingPostId, write);
  }

  /** Throws PostNotFound; deleted posts are for holders of `manage_system`. */
  async get(actor: Actor, id: string, includeDeleted: boolean): Promise<Post> {
    if (includeDeleted) await this.policy.requireReadDeleted(actor);
    const post = includeDeleted ? await this.posts.find(id) : await this.posts.findLive(id);
    if (!post) throw new PostNotFound();
    await this.policy.requireRead(actor, post.channelId);
    return this.threadSizes.fillOne(post);
  }

  /** For other modules, which know who may: deleted ones as well. */
  find(id: string): Promise<Post | null> {
    return this.posts.find(id);
  }

  /** For other modules, which know who may: the post unless it is unknown or deleted. */
  findLive(id: string): Promise<Post | null> {
    return this.posts.findLive(id);
  }

  /**
   * Those that exist and that the caller may read, newest first. Throws PostNotFound when none exists, InvalidBodyParam
   * when they do not fit into one answer.
   */
  async listByIds(actor: Actor, ids: readonly string[]): Promise<Post[]> {
    const found = await this.posts.sizedLive([...new Set(ids.filter(isId))]);
    if (found.length === 0) throw new PostNotFound();
    const readable = new Map<string, boolean>();
    for (const channelId of new Set(found.map(({ post }) => post.channelId))) {
      readable.set(channelId, await this.policy.mayRead(actor, channelId));
    }
    const { posts, rest } = await this.posts.complete(
      found.filter(({ post }) => readable.get(post.channelId)),
    );
    if (rest.length > 0)
      throw new InvalidBodyParam('post_ids', 'the posts are too large for one answer, ask for fewer');
    const newestFirst = [...posts].sort((a, b) => b.seq - a.seq || (a.id < b.id ? 1 : -1));
    return this.threadSizes.fill(newestFirst);
  }

  /** Earlier versions, the latest first, as far as they fit. A missing post is refused like somebody else's; no versions are PostNotFound. */
  async listVersions(actor: Actor, id: string): Promise<readonly Post[]> {
    const post = await this.posts.findLive(id);
    if (!post) throw new PermissionDenied(PostPermission.EditPost);
    await this.policy.requireHistory(actor, post);
    const { posts: versions } = await this.posts.versions(post, MAX_VERSIONS);
    if (versions.length === 0) throw new PostNotFound();
    return versions;
  }

  private async createOnce(
    userId: string,
    pendingPostId: string,
    write: (companions: Companions) => Promise<readonly Post[]>,
  ): Promise<Post> {
    let written: readonly Post[] = [];
    const { postIds } = await this.idempotency.once(`post:${userId}`, pendingPostId, async (companions) => {
      written = await write(companions);
      return written;
    });
    if (written.length > 0) return only(written);
    const post = await this.posts.find(postIds[0] ?? '');
    if (!post) throw new PostNotFound();
    return this.threadSizes.fillOne(stub(post));
  }

  /** What remains to be checked, from the root on, and what the content says. */
  private async toDraft(
    userId: string,
    channel: Channel,
    input: CreatePostDto,
    mayChooseTime: boolean,
  ): Promise<SizedDraft> {
    const { message, type, root_id: rootId } = input;
    if (rootId !== '') requireRoot(await this.posts.findLive(rootId), channel.id);
    if (input.id !== '') throw new PostIdGiven();
    requireValidMessage(message);
    requireValidType(type);
    requireValidFileIds(input.file_ids);
    if (mayChooseTime) requireValidCreateAt(input.create_at);
    const accepted = acceptedProps(input.props);
    const { id: channelId, teamId, type: channelType } = channel;
    const raw = {
      teamId,
      channelId,
      channelType,
      authorId: userId,
      message,
      props: accepted,
      type,
      isHook: false,
    };
    const { props, hashtags, mentions } = await this.content.enrich(raw);
    const propsLength = requireValidProps(props);
    return {
      draft: {
        ...{ userId, channelId, message, type, props, rootId, hashtags, mentions },
        createAt: mayChooseTime ? input.create_at : undefined,
      },
      sizeBytes: sizeOf(message, propsLength),
    };
  }
}

function requireRoot(root: Post | null, channelId: string): void {
  if (!root) throw new InvalidRoot('missing');
  if (root.channelId !== channelId) throw new InvalidRoot('other channel');
  if (root.rootId !== '') throw new InvalidRoot('missing');
}

function only(posts: readonly Post[]): Post {
  const [post] = posts;
  if (!post) throw new PostNotFound();
  return post;
}
